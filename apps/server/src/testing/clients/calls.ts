import type { InjectedAnswer, Json, TestServer } from '../test-server.ts'

/** A call with a token and a body where they are given. */
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

/** What a POST made, as root unless told. @throws where it was not made */
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
