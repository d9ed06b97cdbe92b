import { expect } from 'vitest'
import type { InjectedAnswer, Json, TestServer } from '../test-server.ts'
import { openBrowser, tokenOf } from './browser.ts'
import { created } from './calls.ts'

/** Where the application of these tests gets its users back. */
export const callback = 'https://app.test/callback'

export interface TestApplication {
  id: number
  application_id: string
  secret: string
}

/** Creates an application, by default a confidential one that may ask for anything. */
export function createApplication(
  server: TestServer,
  values: Record<string, unknown> = {},
): Promise<TestApplication> {
  const application = { name: 'App', redirect_uri: callback, scopes: '', ...values }
  return created(server, '/applications', application)
}

/** The `client_id` and `client_secret` of an application. */
export function credentialsOf({ application_id, secret }: TestApplication) {
  return { client_id: application_id, client_secret: secret }
}

/** Sends a form to an endpoint of the provider. */
export function postForm(
  server: TestServer,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<InjectedAnswer> {
  const form = new URLSearchParams(fields).toString()
  return server.inject('POST', `//oauth/${path}`, { form, headers })
}

/** Opens a browser in which a user is signed in. */
export async function signedIn(server: TestServer, user: { username: string; password: string }) {
  const browser = openBrowser(server)
  await browser.signIn(user.username, user.password)
  return browser
}

export type TestBrowser = Awaited<ReturnType<typeof signedIn>>

/** The path and query of an authorization request. */
export function authorizeUrl(
  application: TestApplication,
  values: Record<string, string | undefined> = {},
): string {
  const all = {
    client_id: application.application_id,
    redirect_uri: callback,
    response_type: 'code',
    ...values,
  }
  const given = Object.entries(all).filter((pair): pair is [string, string] => {
    return pair[1] !== undefined
  })
  return `/oauth/authorize?${new URLSearchParams(given)}`
}

/** The fields of the form of a page, with the button that is pressed. */
export function consentOf(text: string, decision: string): URLSearchParams {
  const fields = Array.from(
    text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g),
    ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
  )
  return new URLSearchParams([...fields, ['decision', decision]])
}

/** Asks for consent and gives it; returns the answer to the form. */
export async function consent(
  browser: TestBrowser,
  url: string,
  decision = 'allow',
): Promise<InjectedAnswer> {
  const { text } = await browser.send('GET', url)
  // The first form is that to sign out.
  const form = text.slice(text.indexOf('action="/oauth/authorize"'))
  if (tokenOf(form) === '') throw new Error(`no consent page: ${text}`)
  return browser.send('POST', '/oauth/authorize', consentOf(form, decision).toString())
}

/** The parameters of a redirect to an application. */
export function returned({ headers }: InjectedAnswer): Record<string, string> {
  const { search, hash } = new URL(headers.location ?? '')
  return Object.fromEntries(new URLSearchParams(hash === '' ? search : hash.slice(1)))
}

/** Gets an authorization code. */
export async function getCode(
  browser: TestBrowser,
  application: TestApplication,
  values: Record<string, string | undefined> = {},
): Promise<string> {
  const answer = await consent(browser, authorizeUrl(application, values))
  const { code } = returned(answer)
  if (code === undefined) throw new Error(`no code: ${answer.headers.location}`)
  return code
}

/** Exchanges a code at the token endpoint. */
export function redeem(
  server: TestServer,
  application: TestApplication,
  code: string,
  values: Record<string, string> = {},
): Promise<InjectedAnswer> {
  return postForm(server, 'token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    ...credentialsOf(application),
    ...values,
  })
}

/** Gets tokens with a code, as the browser's user consents. */
export async function issueTokens(
  server: TestServer,
  browser: TestBrowser,
  application: TestApplication,
  scope = 'api',
): Promise<Json> {
  const code = await getCode(browser, application, { scope })
  return (await redeem(server, application, code)).body
}

/** Uses a refresh token. */
export function refreshTokens(
  server: TestServer,
  token: string,
  values: Record<string, string>,
): Promise<InjectedAnswer> {
  const fields = { grant_type: 'refresh_token', refresh_token: token, ...values }
  return postForm(server, 'token', fields)
}

/** The access token of an application without a user. */
export async function clientToken(
  server: TestServer,
  application: TestApplication,
): Promise<string> {
  const fields = { grant_type: 'client_credentials', ...credentialsOf(application) }
  return (await postForm(server, 'token', fields)).body.access_token
}

/** Gets tokens with a password; fails unless the answer is 200. */
export async function passwordTokens(
  server: TestServer,
  user: { username: string; password: string },
  values: Record<string, string> = {},
): Promise<Json> {
  const { username, password } = user
  const fields = { grant_type: 'password', username, password, ...values }
  const { status, text, body } = await postForm(server, 'token', fields)
  if (status !== 200) throw new Error(`no token: ${status} ${text}`)
  return body
}

/** The header with an access token. */
export function bearer(token: string) {
  return { headers: { authorization: `Bearer ${token}` } }
}

/** The status of `GET /user` with an access token. */
export async function userStatus(server: TestServer, token: string): Promise<number> {
  return (await server.inject('GET', '/user', bearer(token))).status
}

/** Checks that an answer is an error as OAuth2 clients expect it. */
export function expectError(answer: InjectedAnswer, status: number, error: string): void {
  expect([answer.status, answer.body]).toEqual([
    status,
    { error, error_description: expect.any(String) },
  ])
  expect(answer.headers['content-type']).toBe('application/json')
  expect(answer.headers['cache-control']).toBe('no-store')
}
