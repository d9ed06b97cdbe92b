import type { InjectedAnswer } from '../test-server.ts'
import { tokenOf } from './browser.ts'
import { callback, type TestApplication, type TestBrowser } from './oauth.ts'

/** Page where users register their own applications. */
export const applicationPage = '/oauth/applications'

export interface OwnApplicationValues {
  name?: string
  redirectUri?: string
  scopes?: readonly string[]
  confidential?: boolean
}

/** The form of an application, by default one that can be registered, without the form token. */
export function applicationFields({
  name = 'App',
  redirectUri = callback,
  scopes = ['api'],
  confidential = true,
}: OwnApplicationValues): [string, string][] {
  const at = 'doorkeeper_application'
  return [
    [`${at}[name]`, name],
    [`${at}[redirect_uri]`, redirectUri],
    ...scopes.map((scope): [string, string] => [`${at}[scopes][]`, scope]),
    ...(confidential ? [[`${at}[confidential]`, '1'] satisfies [string, string]] : []),
  ]
}

/** Submits the form of an application, by default of a new one, with the token of the page. */
export async function sendApplication(
  browser: TestBrowser,
  values: OwnApplicationValues,
  to = applicationPage,
  more: [string, string][] = [],
): Promise<InjectedAnswer> {
  const token = tokenOf((await browser.send('GET', applicationPage)).text)
  const fields = [['authenticity_token', token], ...applicationFields(values), ...more]
  return browser.send('POST', to, new URLSearchParams(fields as [string, string][]).toString())
}

/** The secret that a page shows, if it does. */
export function shownSecret(text: string): string | undefined {
  return /id="application-secret">([^<]+)</.exec(text)?.[1]
}

/** Registers an application of the browser's user. @throws unless it is shown with its secret */
export async function registerOwn(
  browser: TestBrowser,
  values: OwnApplicationValues = {},
): Promise<TestApplication> {
  const made = await sendApplication(browser, values)
  const { text } = await browser.send('GET', made.headers.location ?? applicationPage)
  const application_id = /id="application-id">([^<]+)</.exec(text)?.[1]
  const secret = shownSecret(text)
  if (application_id === undefined || secret === undefined) {
    throw new Error(`not registered: ${made.status} ${made.text}`)
  }
  return { id: Number(made.headers.location?.split('/').at(-1)), application_id, secret }
}
