import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser as openBrowserOf } from '../../testing/clients/browser.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
const openBrowser = (of = server) => openBrowserOf(of)

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

describe('/-/profile/password/new', () => {
  const page = '/-/profile/password/new'
  const fields = (current: string, password: string, again = password) => ({
    'user[current_password]': current,
    'user[password]': password,
    'user[password_confirmation]': again,
  })

  it('is the only accessible page after an administrator set the password', async () => {
    const user = await server.buildUser()
    const earlier = openBrowser()
    await earlier.signIn(user.username, user.password)
    const body = { password: 'set by an admin' }
    await server.inject('PUT', `/users/${user.id}`, { token: server.root.token, body })
    expect((await earlier.send('GET', '/')).headers.location).toBe('/users/sign_in')

    const browser = openBrowser()
    const signedIn = await browser.signIn(user.username, 'set by an admin')
    expect(signedIn.headers.location).toBe(page)
    expect((await browser.send('GET', '/')).headers.location).toBe(page)
    expect((await browser.send('GET', '/api/v4/user')).status).toBe(401)
    const same = await browser.submit(page, fields('set by an admin', 'set by an admin'))
    expect(same.status).toBe(422)
    const changed = await browser.submit(page, fields('set by an admin', 'chosen by myself'))
    expect([changed.status, changed.headers.location]).toEqual([302, '/'])
    expect((await browser.send('GET', '/')).status).toBe(200)
    expect((await openBrowser().signIn(user.username, 'set by an admin')).status).toBe(401)
    const next = await openBrowser().signIn(user.username, 'chosen by myself')
    expect(next.headers.location).toBe('/')
  })

  it('ends the other sessions, and opens a new one for this browser', async () => {
    const user = await server.buildUser()
    const [one, other] = [openBrowser(), openBrowser()]
    await one.signIn(user.username, user.password)
    await other.signIn(user.username, user.password)
    const before = one.cookies.get('_service_session')
    await one.submit(page, fields(user.password, 'a better password'))
    expect(one.cookies.get('_service_session')).not.toBe(before)
    expect((await one.send('GET', '/')).status).toBe(200)
    expect((await other.send('GET', '/')).status).toBe(302)
  })

  it('shows the error next to the field', async () => {
    const user = await server.buildUser()
    const browser = openBrowser()
    await browser.signIn(user.username, user.password)
    const wrong = await browser.submit(page, fields('not my password', 'long enough'))
    expect(wrong.text).toContain('<a href="#user_current_password">')
    const short = await browser.submit(page, fields(user.password, 'short'))
    expect(short.text).toContain('is too short')
    const differ = await browser.submit(page, fields(user.password, 'long enough', 'longer enough'))
    expect(differ.text).toContain('The two new passwords differ.')
  })
})
