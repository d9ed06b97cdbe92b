import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let project: Json

beforeAll(async () => {
  server = await buildTestServer()
  project = await server.buildProject()
})
afterAll(() => server.close())

const create = (text: string) =>
  server.inject('POST', `/projects/${project.id}/issues`, {
    token: server.root.token,
    bytes: Buffer.from(text),
    headers: { 'content-type': 'application/json' },
  })

const ones = `[${'1,'.repeat(189_999)}1]`

describe('a JSON body of POST /projects/:id/issues', () => {
  it.each([
    ['a list of 190,000 and the word "constructor"', `{"title":"a","b":${ones},"c":"constructor"}`],
    ['an escaped name of a prototype as a value', `{"title":"a","c":"\\u005f_proto__"}`],
    ['more commas and brackets in texts', `{"title":"a","c":"${'\\",[{'.repeat(400_000)}"}`],
  ])('is accepted with %s', async (_, text) => {
    expect((await create(text)).status).toBe(201)
  })

  it.each([
    ['a key that reaches the prototype', '{"title":"a","__proto__":{"x":1}}'],
    ['an escaped one', '{"title":"a","b":[{"\\u005f_proto__":{"x":1}}]}'],
    ['one behind a long list', `{"title":"a","a":${ones},"constructor":{"prototype":1}}`],
    ['400,000 keys', `{"title":"a"${',"constructo":1'.repeat(400_000)}}`],
    ['500,000 elements', `{"title":"a","b":[${'1,'.repeat(499_999)}1],"c":"constructor"}`],
    ['2,000,000 empty lists', `{"title":"a","b":[${'[],'.repeat(2_000_000)}[]]}`],
    ['1,000,000 nested lists', `{"title":"a","b":${'['.repeat(1e6)}${']'.repeat(1e6)}}`],
    [
      '100,000 nested lists that do not end',
      `{"title":"a","b":${'['.repeat(1e5)}${']'.repeat(1e5)}`,
    ],
  ])('is refused with %s', async (_, text) => {
    const { status, body } = await create(text)
    expect(status).toBe(400)
    expect(body.error).toMatch(/^the body /)
  })
})

describe('a form of 8 MB', () => {
  /** That of the test itself would count as the server's. */
  const form = (start: string, unit: string) =>
    Buffer.alloc(8_000_000, unit).fill(start, 0, start.length)

  it.each([
    ['title=', '+', 400],
    ['title=', '+a', 400],
    ['', '+', 400],
    ['title=a', '&', 201],
  ])('that is %s and then %s alone is read at once', async (start, unit, expected) => {
    const answer = await server.inject('POST', `/projects/${project.id}/issues`, {
      token: server.root.token,
      bytes: form(start, unit),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([400, 201]).toContain(answer.status)
    expect(answer.status).toBe(expected)
  })
})
