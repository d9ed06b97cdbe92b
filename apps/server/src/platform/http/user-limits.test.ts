import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../../testing/clients/browser.ts'
import { setSettings } from '../../testing/settings.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

/*
 * - three throttles, off by default: `429`, the text `Retry later`, `Retry-After`; per user, and
 *   per address without credentials
 * - `unique_ips_limit_*`: 403 when a user comes from too many addresses
 */

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer({ trustProxy: 1 })
})
afterAll(() => server.close())
afterEach(() => {
  // Its own limits may be reached: settings are changed by whoever is not limited.
  server.advance(3_600_000)
  return setSettings(server, {
    throttle_unauthenticated_enabled: false,
    throttle_authenticated_api_enabled: false,
    throttle_authenticated_web_enabled: false,
    unique_ips_limit_enabled: false,
  })
})

const from = (address: string) => ({ 'x-forwarded-for': address })
const version = (token: string, address = '192.0.2.1') =>
  server.inject('GET', '/version', { token, headers: from(address) })
const project = (address: string) => server.inject('GET', '/projects', { headers: from(address) })

/** The statuses of some calls, one after another. */
async function statuses(count: number, work: () => Promise<{ status: number }>): Promise<number[]> {
  const found: number[] = []
  for (let each = 0; each < count; each += 1) found.push((await work()).status)
  return found
}

describe('throttle_authenticated_api', () => {
  it('answers 429 to a user with too many requests, until the period ends', async () => {
    const [one, other] = [await server.buildUser(), await server.buildUser()]
    await setSettings(server, {
      throttle_authenticated_api_enabled: true,
      throttle_authenticated_api_requests_per_period: 3,
      throttle_authenticated_api_period_in_seconds: 60,
    })
    expect(await statuses(3, () => version(one.token))).toEqual([200, 200, 200])
    const late = await version(one.token, '192.0.2.9')
    expect([late.status, late.text]).toEqual([429, 'Retry later\n'])
    expect(late.headers['content-type']).toMatch(/^text\/plain/)
    expect(Number(late.headers['retry-after'])).toBeLessThanOrEqual(60)
    const write = await server.inject('POST', '/projects', {
      token: one.token,
      body: { name: 'too-late' },
    })
    expect(write.status).toBe(429)
    expect((await version(other.token)).status).toBe(200)
    server.advance(61_000)
    expect((await version(one.token)).status).toBe(200)
  })

  it('counts a write once', async () => {
    const user = await server.buildUser()
    await setSettings(server, {
      throttle_authenticated_api_enabled: true,
      throttle_authenticated_api_requests_per_period: 2,
      throttle_authenticated_api_period_in_seconds: 60,
    })
    const write = () => server.inject('POST', '/projects', { token: user.token, body: {} })
    expect(await statuses(3, write)).toEqual([400, 400, 429])
  })
})

describe('throttle_unauthenticated', () => {
  it('answers 429 to an address without credentials', async () => {
    await setSettings(server, {
      throttle_unauthenticated_enabled: true,
      throttle_unauthenticated_requests_per_period: 2,
      throttle_unauthenticated_period_in_seconds: 60,
    })
    expect(await statuses(3, () => project('192.0.2.5'))).toEqual([200, 200, 429])
    expect((await project('192.0.2.6')).status).toBe(200)
    const page = await server.inject('GET', '//users/sign_in', { headers: from('192.0.2.5') })
    expect([page.status, page.text]).toEqual([429, 'Retry later\n'])
    const git = await server.inject('GET', '//a/b.git/info/refs?service=git-upload-pack', {
      headers: from('192.0.2.5'),
    })
    expect([git.status, git.text]).toEqual([429, 'Retry later\n'])
    expect((await version(server.root.token, '192.0.2.5')).status).toBe(200)
    expect(await statuses(3, () => version('wrong', '192.0.2.7'))).toEqual([401, 401, 429])
  })
})

describe('throttle_authenticated_web', () => {
  it('answers 429 to a user who loads too many pages', async () => {
    const user = await server.buildUser()
    const browser = openBrowser(server)
    await browser.signIn(user.username, user.password)
    await setSettings(server, {
      throttle_authenticated_web_enabled: true,
      throttle_authenticated_web_requests_per_period: 2,
      throttle_authenticated_web_period_in_seconds: 60,
    })
    expect(await statuses(2, () => browser.send('GET', '/'))).toEqual([200, 200])
    const late = await browser.send('GET', '/')
    expect([late.status, late.text]).toEqual([429, 'Retry later\n'])
    expect((await version(user.token)).status).toBe(200)
  })
})

describe('unique_ips_limit', () => {
  it('answers 403 from further addresses until the first are old', async () => {
    const user = await server.buildUser()
    await setSettings(server, {
      unique_ips_limit_enabled: true,
      unique_ips_limit_per_user: 2,
      unique_ips_limit_time_window: 600,
    })
    const call = async (last: number) => (await version(user.token, `192.0.2.${last}`)).status
    expect([await call(1), await call(2), await call(3)]).toEqual([200, 200, 403])
    expect((await version(user.token, '192.0.2.4')).body).toEqual({ message: '403 Forbidden' })
    expect([await call(1), await call(2)]).toEqual([200, 200])
    server.advance(400_000)
    expect(await call(1)).toBe(200)
    server.advance(300_000)
    expect([await call(3), await call(2)]).toEqual([200, 403])
    const stranger = await server.buildUser()
    expect((await version(stranger.token, '192.0.2.4')).status).toBe(200)
  })
})
