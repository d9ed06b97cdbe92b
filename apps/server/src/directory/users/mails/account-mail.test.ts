// Mails about an account: confirmation of an address (`send_user_confirmation_email`, secondary
// addresses), a link to choose a password (`reset_password` of `POST /users`), a new SSH key. Tokens
// are stored as hashes.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callAs, created } from '../../../testing/clients/calls.ts'
import {
  type ReceivedMail,
  startMailServer,
  type TestMailServer,
} from '../../../testing/clients/mail-server.ts'
import type { TestUser } from '../../../testing/factories.ts'
import { buildPublicKey } from '../../../testing/git/ssh-key.ts'
import { setSetting } from '../../../testing/settings.ts'
import { buildTestServer, type TestServer } from '../../../testing/test-server.ts'
import { requestPasswordReset } from './password-reset.service.ts'

let mailServer: TestMailServer
let server: TestServer
let ada: TestUser
beforeAll(async () => {
  mailServer = await startMailServer()
  server = await buildTestServer({ mail: mailServer.config() })
})
afterAll(async () => {
  await server.close()
  await mailServer.close()
})
beforeEach(async () => {
  ada = await server.buildUser()
  await mails()
})

/** The mails of what happened since the last call. */
async function mails(): Promise<ReceivedMail[]> {
  await server.runJobs()
  return mailServer.take()
}

/** The path and query of the link in a mail, the same in both of its formats. */
function linkIn(mail: ReceivedMail | undefined): string {
  const pattern = /http:\/\/stithy\.test(\/users\/[^\s"]+)/
  const [, link = ''] = pattern.exec(mail?.text ?? '') ?? []
  expect(mail?.html).toContain(`href="http://stithy.test${link}"`)
  return link
}

const open = (link: string) => server.inject('GET', `/${link}`)

let count = 0
const newAddress = () => `other${++count}@example.com`

describe('a new secondary address', () => {
  it('gets a mail whose link confirms it, once', async () => {
    const email = newAddress()
    await created(server, '/user/emails', { email }, ada)
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail?.recipients).toEqual([email])
    expect(mail?.subject).toBe('Confirm your e-mail address')
    expect(mail?.text).toContain(ada.username)
    const link = linkIn(mail)
    expect((await open(link)).status).toBe(200)
    expect((await open(link)).status).toBe(422)
    const body = { notification_email: email }
    const chosen = await callAs(server, 'PUT', '/notification_settings', ada.token, body)
    expect(chosen.status).toBe(200)
  })

  it('gets none when an administrator skips the confirmation, or it was deleted meanwhile', async () => {
    const path = `/users/${ada.id}/emails`
    await created(server, path, { email: newAddress(), skip_confirmation: true }, server.root)
    const { id } = await created(server, '/user/emails', { email: newAddress() }, ada)
    await callAs(server, 'DELETE', `/user/emails/${id}`, ada.token)
    expect(await mails()).toEqual([])
  })

  it('gets no more than ten an hour, whoever the addresses belong to', async () => {
    for (let at = 0; at < 12; at += 1) {
      const { id } = await created(server, '/user/emails', { email: newAddress() }, ada)
      await server.runJobs()
      await callAs(server, 'DELETE', `/user/emails/${id}`, ada.token)
    }
    expect(await mails()).toHaveLength(10)
  })

  it('has a token that no row holds in clear text', async () => {
    await created(server, '/user/emails', { email: newAddress() }, ada)
    const token = linkIn((await mails())[0]).split('=')[1] ?? ''
    expect(token.length).toBeGreaterThan(40)
    for (const table of ['jobs', 'mails', 'emails'] as const) {
      const rows = await server.app.db.all(`test.${table}`, {}, (db) =>
        db.selectFrom(table).selectAll(),
      )
      expect(JSON.stringify(rows)).not.toContain(token)
    }
  })
})

describe('with `send_user_confirmation_email`', () => {
  it('a new user confirms the primary address by mail', async () => {
    await setSetting(server, 'send_user_confirmation_email', true)
    const eve = await server.buildUser({ skip_confirmation: false })
    await setSetting(server, 'send_user_confirmation_email', false)
    const [mail] = await mails()
    expect(mail?.recipients).toEqual([eve.email])
    expect((await open(linkIn(mail))).status).toBe(200)
    const shown = await callAs(server, 'GET', `/users/${eve.id}`, server.root.token)
    expect(shown.body.confirmed_at).not.toBeNull()
  })
})

describe('POST /users with reset_password', () => {
  it('mails a link for three days with which the user chooses a password', async () => {
    const user = await server.buildUser({ password: undefined, reset_password: true })
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail?.recipients).toEqual([user.email])
    expect(mail?.text).toContain(user.username)
    const link = linkIn(mail)
    server.advance(71 * 60 * 60_000)
    expect((await open(link)).status).toBe(200)
    server.advance(2 * 60 * 60_000)
    expect((await open(link)).status).toBe(422)
  })

  it('mails nothing with a password, or with force_random_password', async () => {
    await server.buildUser()
    await server.buildUser({ password: undefined, force_random_password: true })
    expect(await mails()).toEqual([])
  })
})

describe('POST /user/keys', () => {
  it('tells the owner of the key, also when an administrator adds it', async () => {
    await created(server, '/user/keys', { title: 'Own', key: buildPublicKey() }, ada)
    const other = { title: 'Other', key: buildPublicKey() }
    await created(server, `/users/${ada.id}/keys`, other, server.root)
    const found = await mails()
    expect(found.map(({ recipients }) => recipients)).toEqual([[ada.email], [ada.email]])
    expect(found[0]?.text).toContain('ssh-')
  })
})

describe('a user without a confirmed address', () => {
  it('gets no mail but the one to confirm it', async () => {
    await setSetting(server, 'send_user_confirmation_email', true)
    const eve = await server.buildUser({ skip_confirmation: false })
    await setSetting(server, 'send_user_confirmation_email', false)
    const key = { title: 'Own', key: buildPublicKey() }
    await created(server, `/users/${eve.id}/keys`, key, server.root)
    const subjects = (await mails()).map(({ subject }) => subject)
    expect(subjects).toEqual(['Confirm your e-mail address'])
  })

  it('gets no link for a new password at it, by another address that is confirmed', async () => {
    await setSetting(server, 'send_user_confirmation_email', true)
    const eve = await server.buildUser({ skip_confirmation: false })
    await setSetting(server, 'send_user_confirmation_email', false)
    const email = newAddress()
    const secondary = { email, skip_confirmation: true }
    await created(server, `/users/${eve.id}/emails`, secondary, server.root)
    await mails()
    await requestPasswordReset(server.app, email)
    expect(await mails()).toEqual([])
  })
})

describe('a blocked user', () => {
  it('gets no mail', async () => {
    await created(server, '/user/emails', { email: newAddress() }, ada)
    await callAs(server, 'POST', `/users/${ada.id}/block`, server.root.token)
    expect(await mails()).toEqual([])
  })
})
