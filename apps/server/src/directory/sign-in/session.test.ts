import { updateUser } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser as openBrowserOf, tokenOf } from '../../testing/clients/browser.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
const openBrowser = (of = server) => openBrowserOf(of)

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

describe('sessions', () => {
  it('reject writes without their CSRF token', async () => {
    const browser = openBrowser()
    await browser.signIn('root', server.root.password)
    const session = browser.cookies.get('_service_session') ?? ''
    const user = await server.buildUser()
    const block = (csrf?: string) =>
      server.inject('POST', `/users/${user.id}/block`, {
        headers: {
          cookie: `_service_session=${session}`,
          ...(csrf === undefined ? {} : { 'x-csrf-token': csrf }),
        },
      })
    expect((await block()).status).toBe(401)
    expect((await block('wrong')).status).toBe(401)
    const { text } = await browser.send('GET', '/')
    const csrf = /<meta name="csrf-token" content="([^"]+)">/.exec(text)?.[1]
    expect((await block(csrf)).status).toBe(201)
  })

  it('end after 10080 minutes', async () => {
    const own = await buildTestServer()
    try {
      const browser = openBrowser(own)
      await browser.signIn('root', own.root.password)
      own.advance(10_079 * 60_000)
      expect((await browser.send('GET', '/')).status).toBe(200)
      own.advance(2 * 60_000)
      expect((await browser.send('GET', '/')).headers.location).toBe('/users/sign_in')
    } finally {
      await own.close()
    }
  })

  it('end when the user is blocked', async () => {
    const user = await server.buildUser()
    const browser = openBrowser()
    await browser.signIn(user.username, user.password)
    const root = { token: server.root.token }
    await server.inject('POST', `/users/${user.id}/block`, root)
    expect((await browser.send('GET', '/api/v4/user')).status).toBe(401)
    await server.inject('POST', `/users/${user.id}/unblock`, root)
    expect((await browser.send('GET', '/api/v4/user')).status).toBe(401)
  })

  it('are invalid while the user is blocked, however they were blocked', async () => {
    const user = await server.buildUser()
    const browser = openBrowser()
    await browser.signIn(user.username, user.password)
    await server.app.db.transaction((tx) => updateUser(tx, user.id, { state: 'blocked' }))
    expect((await browser.send('GET', '/')).headers.location).toBe('/users/sign_in')
  })

  it('end when a user signs in again with the same browser', async () => {
    const user = await server.buildUser()
    const browser = openBrowser()
    await browser.signIn(user.username, user.password)
    const before = browser.cookies.get('_service_session') ?? ''
    browser.cookies.delete('_service_session')
    const { text } = await browser.send('GET', '/users/sign_in')
    browser.cookies.set('_service_session', before)
    const form = new URLSearchParams({
      authenticity_token: tokenOf(text),
      'user[login]': user.username,
      'user[password]': user.password,
    })
    expect((await browser.send('POST', '/users/sign_in', form.toString())).status).toBe(302)
    const headers = { cookie: `_service_session=${before}` }
    expect((await server.inject('GET', '/user', { headers })).status).toBe(401)
  })

  it.each(['GET', 'POST'])('are ended by %s /users/sign_out', async (method) => {
    const user = await server.buildUser()
    const browser = openBrowser()
    await browser.signIn(user.username, user.password)
    const session = browser.cookies.get('_service_session') ?? ''
    const answer =
      method === 'GET'
        ? await browser.send('GET', '/users/sign_out')
        : await browser.submit('/', {}, '/users/sign_out')
    expect([answer.status, answer.headers.location]).toEqual([302, '/users/sign_in'])
    expect(browser.cookies.has('_service_session')).toBe(false)
    const again = await server.inject('GET', '/user', {
      headers: { cookie: `_service_session=${session}` },
    })
    expect(again.status).toBe(401)
  })

  it.each([
    ['the picture of a comment', { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'same-origin' }],
    ['a frame', { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' }],
    ['a link of another site', { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' }],
    ['a picture over HTTP', { accept: 'image/avif,image/webp,image/*,*/*;q=0.8' }],
  ])('are not ended by %s', async (_, headers) => {
    const user = await server.buildUser()
    const browser = openBrowser()
    await browser.signIn(user.username, user.password)
    const cookie = `_service_session=${browser.cookies.get('_service_session')}`
    const signOut = (more: Record<string, string>) =>
      server.inject('GET', '//users/sign_out', { headers: { cookie, ...more } })
    expect((await signOut(headers)).headers.location).toBe('/')
    expect((await server.inject('GET', '/user', { headers: { cookie } })).status).toBe(200)
    const visit = { accept: 'text/html,application/xml;q=0.9,image/avif,*/*;q=0.8' }
    expect((await signOut(visit)).headers.location).toBe('/users/sign_in')
    expect((await server.inject('GET', '/user', { headers: { cookie } })).status).toBe(401)
  })

  it('are not ended by a form of another site', async () => {
    const user = await server.buildUser()
    const browser = openBrowser()
    await browser.signIn(user.username, user.password)
    expect((await browser.send('POST', '/users/sign_out', 'authenticity_token=x')).status).toBe(422)
    expect((await browser.send('GET', '/')).status).toBe(200)
  })
})
