import { Gitlab } from '@gitbeaker/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../src/testing/test-server.ts'

let server: TestServer
let root: InstanceType<typeof Gitlab>

beforeAll(async () => {
  server = await buildTestServer()
  root = new Gitlab({ host: await server.url(), token: server.root.token })
})
afterAll(() => server.close())

/** An answer without the names that exclude each other in requests. */
function sendable(answer: object): never {
  const { signin_enabled, password_authentication_enabled, ...settings } = answer as Json
  return settings as never
}

describe('application settings with the unmodified @gitbeaker/rest', () => {
  it('are shown', async () => {
    expect(await root.ApplicationSettings.show()).toMatchObject({
      id: 1,
      signup_enabled: true,
      default_projects_limit: 100_000,
      restricted_visibility_levels: [],
      domain_whitelist: null,
      password_authentication_enabled_for_web: true,
    })
  })

  it('are edited, also back to what they were', async () => {
    const before = await root.ApplicationSettings.show()
    const edited = await root.ApplicationSettings.edit({
      signupEnabled: false,
      defaultProjectsLimit: 5,
      restrictedVisibilityLevels: ['public', 'internal'],
      domainWhitelist: ['*.example.com'],
      signInText: 'Hello',
      spamfilterApiKey: 'a secret',
    } as never)
    expect(edited).toMatchObject({
      signup_enabled: false,
      default_projects_limit: 5,
      restricted_visibility_levels: ['public', 'internal'],
      domain_whitelist: ['*.example.com'],
      sign_in_text: 'Hello',
      spamfilter_api_key: '********',
    })
    expect(await root.ApplicationSettings.show()).toEqual(edited)
    const again = await root.ApplicationSettings.edit(sendable(edited))
    expect(again).toEqual({ ...edited, updated_at: again.updated_at })
    const restored = await root.ApplicationSettings.edit(
      sendable({ ...before, spamfilter_api_key: '' }),
    )
    expect(restored).toMatchObject({ ...before, updated_at: restored.updated_at })
  })

  it('refuse what they do not know, and others than administrators', async () => {
    const wrong = root.ApplicationSettings.edit({ defaultProjectVisibility: 'secret' } as never)
    await expect(wrong).rejects.toThrow(/does not have a valid value/)
    const { token } = await server.buildUser()
    const other = new Gitlab({ host: await server.url(), token })
    await expect(other.ApplicationSettings.show()).rejects.toThrow(/Forbidden/)
  })
})
