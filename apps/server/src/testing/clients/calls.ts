import type { InjectedAnswer, Json, TestServer } from '../test-server.ts'

/** Sends a request with an optional token and body. */
export function callAs(
  server: TestServer,
  method: string,
  path: string,
  token?: string,
  body?: unknown,
): Promise<InjectedAnswer> {
  return server.inject(method, path, {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
  })
}

/** Sends a request as somebody; returns the body. @throws unless it succeeds */
export async function succeeded(
  server: TestServer,
  method: string,
  path: string,
  body: object | undefined,
  by: { token: string },
): Promise<Json> {
  const answer = await callAs(server, method, path, by.token, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

/** Sends a POST, by default as root; returns the body. @throws unless the answer is 201 */
export async function created(
  server: TestServer,
  path: string,
  body: object,
  by: { token: string } = server.root,
): Promise<Json> {
  const answer = await callAs(server, 'POST', path, by.token, body)
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`)
  return answer.body
}
