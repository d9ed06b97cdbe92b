// `/users/confirmation/new` asks for another mail that confirms an address, and says the same whether
// the address exists or not. Requests are limited by address and network, as those for a new password.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../../testing/clients/browser.ts'
import { startMailServer, type TestMailServer } from '../../testing/clients/mail-server.ts'
import type { TestUser } from '../../testing/factories.ts'
import { setSetting } from '../../testing/settings.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let mailServer: TestMailServer
let server: TestServer
let eve: TestUser
beforeAll(async () => {
  mailServer = await startMailServer()
  server = await buildTestServer({ mail: mailServer.config() })
  await setSetting(server, 'send_user_confirmation_email', true)
  eve = await server.buildUser({ skip_confirmation: false })
  // The first link has expired.
  await mails()
  server.advance(4 * 24 * 60 * 60_000)
})
afterAll(async () => {
  await server.close()
  await mailServer.close()
})

const page = '/users/confirmation/new'
const ask = (email: string) =>
  openBrowser(server).submit(page, { 'user[email]': email }, '/users/confirmation')

async function mails() {
  await server.runJobs()
  return mailServer.take()
}

describe('/users/confirmation/new', () => {
  it('is linked from the page for signing in while addresses must be confirmed', async () => {
    const signIn = async () => (await openBrowser(server).send('GET', '/users/sign_in')).text
    expect(await signIn()).toContain(`href="${page}"`)
    await setSetting(server, 'send_user_confirmation_email', false)
    expect(await signIn()).not.toContain(page)
    await setSetting(server, 'send_user_confirmation_email', true)
  })

  it('is linked from a link that is not valid', async () => {
    const { status, text } = await openBrowser(server).send('GET', '/users/confirmation')
    expect([status, text.includes(`href="${page}"`)]).toEqual([422, true])
  })

  it('says the same for every address, and mails nothing to those that are confirmed', async () => {
    const ada = await server.buildUser()
    const answers = [await ask(ada.email), await ask('nobody@example.com')]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]?.text).toBe(answers[1]?.text)
    expect(await mails()).toEqual([])
  })

  it('returns 422 for what is no address, and for a forged form', async () => {
    expect((await ask('nobody')).status).toBe(422)
    const form = new URLSearchParams({ 'user[email]': eve.email }).toString()
    const lost = await server.inject('POST', '//users/confirmation', {
      ...{ form, headers: { 'sec-fetch-site': 'same-origin' } },
    })
    expect([lost.status, lost.text.includes(`value="${eve.email}"`)]).toEqual([422, true])
    const forged = await openBrowser(server).send('POST', '/users/confirmation', form)
    expect(forged.status).toBe(422)
    expect(await mails()).toEqual([])
  })

  it('mails another link, with which the user can sign in', async () => {
    const browser = openBrowser(server)
    await browser.signIn(eve.email, eve.password)
    expect((await browser.send('GET', '/')).status).not.toBe(200)
    await ask(eve.email.toUpperCase())
    const [mail, ...others] = await mails()
    expect([mail?.recipients, others]).toEqual([[eve.email], []])
    const [, link = ''] = /http:\/\/stithy\.test(\/users\/\S+)/.exec(mail?.text ?? '') ?? []
    expect((await browser.send('GET', link)).status).toBe(200)
    await browser.signIn(eve.email, eve.password)
    expect((await browser.send('GET', '/')).status).toBe(200)
    await ask(eve.email)
    expect(await mails()).toEqual([])
  })

  it('does not exist while no mail is sent', async () => {
    const other = await buildTestServer()
    expect((await openBrowser(other).send('GET', page)).status).toBe(404)
    await other.close()
  })
})
