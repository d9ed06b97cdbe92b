// `/users/password/new` asks for a link by mail, and says the same whether the address exists or not;
// `/users/password/edit?reset_password_token=` chooses a password. Tokens are random, stored as
// hashes, valid for two hours and for one use. Requests are limited by address and network.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openBrowser as openBrowserOf } from '../../testing/clients/browser.ts'
import { callAs, created } from '../../testing/clients/calls.ts'
import { startMailServer, type TestMailServer } from '../../testing/clients/mail-server.ts'
import type { TestUser } from '../../testing/factories.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let mailServer: TestMailServer
let server: TestServer
let ada: TestUser
const openBrowser = (of = server) => openBrowserOf(of)
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
})
// The limits of the network are those of a minute.
afterEach(() => server.advance(60_001))

const requestPage = '/users/password/new'
const ask = (email: string, browser = openBrowser()) =>
  browser.submit(requestPage, { 'user[email]': email }, '/users/password')

async function mails() {
  await server.runJobs()
  return mailServer.take()
}

/** The token of the one mail to an address. */
async function tokenFor(email: string): Promise<string> {
  expect((await ask(email)).status).toBe(200)
  const found = await mails()
  expect(found.map(({ recipients }) => recipients)).toEqual([[ada.email]])
  const [, token = ''] = /reset_password_token=([\w-]+)/.exec(found[0]?.text ?? '') ?? []
  expect(token).not.toBe('')
  return token
}

const pageOf = (token: string) => `/users/password/edit?reset_password_token=${token}`
const choose = (token: string, password: string, again = password) =>
  openBrowser().submit(
    pageOf(token),
    {
      'user[reset_password_token]': token,
      'user[password]': password,
      'user[password_confirmation]': again,
    },
    '/users/password/edit',
  )

describe('/users/password/new', () => {
  it('is linked from the page for signing in', async () => {
    const { text } = await openBrowser().send('GET', '/users/sign_in')
    expect(text).toContain(`href="${requestPage}"`)
  })

  it('says the same whether an account has the address or not, and mails it only then', async () => {
    const known = await ask(ada.email.toUpperCase())
    const unknown = await ask('nobody@example.com')
    expect([known.status, known.text]).toEqual([200, unknown.text])
    const found = await mails()
    expect(found.map(({ recipients }) => recipients)).toEqual([[ada.email]])
  })

  it('mails the primary address for a confirmed secondary one, and nothing for others', async () => {
    const path = `/users/${ada.id}/emails`
    const [confirmed, other] = [`second-${ada.email}`, `third-${ada.email}`]
    await created(server, path, { email: confirmed, skip_confirmation: true }, server.root)
    await created(server, path, { email: other }, server.root)
    await mails()
    await tokenFor(confirmed)
    await ask(other)
    expect(await mails()).toEqual([])
  })

  it('mails nothing to blocked users', async () => {
    await callAs(server, 'POST', `/users/${ada.id}/block`, server.root.token)
    expect((await ask(ada.email)).status).toBe(200)
    expect(await mails()).toEqual([])
  })

  it('returns 422 for what is no address, and for a forged form', async () => {
    expect((await ask('nobody')).status).toBe(422)
    const form = new URLSearchParams({ 'user[email]': ada.email }).toString()
    expect((await openBrowser().send('POST', '/users/password', form)).status).toBe(422)
    expect(await mails()).toEqual([])
  })

  it('mails an address three times an hour, and says the same afterwards', async () => {
    const texts = new Set<string>()
    for (let at = 0; at < 5; at += 1) texts.add((await ask(ada.email)).text)
    expect(texts.size).toBe(1)
    expect(await mails()).toHaveLength(3)
    server.advance(60 * 60_000)
    await ask(ada.email)
    expect(await mails()).toHaveLength(1)
  })

  it('returns 429 after ten requests of a network in a minute', async () => {
    for (let at = 0; at < 10; at += 1) expect((await ask(`u${at}@example.com`)).status).toBe(200)
    const refused = await ask(ada.email)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, expect.any(String)])
    expect(await mails()).toEqual([])
  })

  it('drops a mail that could not be sent while its link would have been valid', async () => {
    await ask(ada.email)
    mailServer.behave('refuse_for_now')
    await server.runJobs()
    mailServer.behave('accept')
    server.advance(3 * 60 * 60_000)
    expect(await mails()).toEqual([])
  })

  it('does not exist while no mail is sent', async () => {
    const other = await buildTestServer()
    const browser = openBrowser(other)
    expect((await browser.send('GET', requestPage)).status).toBe(404)
    expect((await browser.send('GET', '/users/sign_in')).text).not.toContain(requestPage)
    await other.close()
  })
})

describe('/users/password/edit', () => {
  it('changes the password once, and ends all sessions', async () => {
    const earlier = openBrowser()
    await earlier.signIn(ada.username, ada.password)
    const token = await tokenFor(ada.email)
    const page = await openBrowser().send('GET', pageOf(token))
    expect([page.status, page.headers['referrer-policy']]).toEqual([200, 'same-origin'])
    const changed = await choose(token, 'a new password')
    expect(changed.status).toBe(200)
    expect((await earlier.send('GET', '/')).headers.location).toBe('/users/sign_in')
    expect((await openBrowser().signIn(ada.username, ada.password)).status).toBe(401)
    expect((await openBrowser().signIn(ada.username, 'a new password')).status).toBe(302)
    expect((await openBrowser().send('GET', pageOf(token))).status).toBe(422)
  })

  it('uses a token once when two requests race', async () => {
    const token = await tokenFor(ada.email)
    const answers = await Promise.all([
      choose(token, 'the first password'),
      choose(token, 'the second password'),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
  })

  it('shows the error next to the field, and keeps the token', async () => {
    const token = await tokenFor(ada.email)
    const short = await choose(token, 'short')
    expect([short.status, short.text.includes('is too short')]).toEqual([422, true])
    const differ = await choose(token, 'long enough', 'longer enough')
    expect(differ.text).toContain('The two new passwords differ.')
    expect((await choose(token, 'long enough')).status).toBe(200)
  })

  it('rejects a token that has expired, was replaced, or is made up', async () => {
    const [first, second] = [await tokenFor(ada.email), await tokenFor(ada.email)]
    expect((await openBrowser().send('GET', pageOf(first))).status).toBe(422)
    server.advance(2 * 60 * 60_000)
    for (const token of [second, '', 'x', 'x'.repeat(5000)]) {
      expect((await openBrowser().send('GET', pageOf(token))).status).toBe(422)
    }
    expect((await choose(second, 'a new password')).status).toBe(422)
    expect((await openBrowser().signIn(ada.username, ada.password)).status).toBe(302)
  })

  const put = (body: object) => callAs(server, 'PUT', `/users/${ada.id}`, server.root.token, body)

  it.each<[string, (email: string) => Promise<unknown>]>([
    [
      'the primary address has changed',
      (email) => put({ email: `new-${email}`, skip_reconfirmation: true }),
    ],
    ['an administrator has set a password', () => put({ password: 'set by an admin' })],
    [
      'the user has chosen another password',
      async () => {
        const browser = openBrowser()
        await browser.signIn(ada.username, ada.password)
        await browser.submit('/-/profile/password/new', {
          'user[current_password]': ada.password,
          'user[password]': 'chosen otherwise',
          'user[password_confirmation]': 'chosen otherwise',
        })
      },
    ],
    [
      'the user was blocked',
      () => callAs(server, 'POST', `/users/${ada.id}/block`, server.root.token),
    ],
  ])('rejects a token once %s', async (_, happen) => {
    const token = await tokenFor(ada.email)
    await happen(ada.email)
    expect((await openBrowser().send('GET', pageOf(token))).status).toBe(422)
    expect((await choose(token, 'a new password')).status).toBe(422)
  })

  it('keeps two-factor authentication: nobody is signed in by it', async () => {
    const token = await tokenFor(ada.email)
    const browser = openBrowser()
    await browser.submit(
      pageOf(token),
      {
        'user[reset_password_token]': token,
        'user[password]': 'a new password',
        'user[password_confirmation]': 'a new password',
      },
      '/users/password/edit',
    )
    expect(browser.cookies.has('_service_session')).toBe(false)
  })

  it('has a token that no row holds in clear text', async () => {
    const token = await tokenFor(ada.email)
    for (const table of ['jobs', 'mails', 'passwordResets'] as const) {
      const rows = await server.app.db.all(`test.${table}`, {}, (db) =>
        db.selectFrom(table).selectAll(),
      )
      expect(JSON.stringify(rows)).not.toContain(token)
    }
  })
})
