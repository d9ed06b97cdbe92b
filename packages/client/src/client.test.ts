import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type GadgetRegistry,
  gadgetRegistry,
  type RecordingServer,
  startRecordingServer,
} from '../test/testing.ts'
import { type Client, createClient, createClientFor, StithyError } from './index.ts'

let server: RecordingServer
let client: Client<GadgetRegistry>

beforeAll(async () => {
  server = await startRecordingServer()
})

afterAll(() => server.close())

beforeEach(() => {
  server.seen.length = 0
  client = createClientFor(gadgetRegistry, { baseUrl: server.url, token: 'tok-123', retries: 0 })
})

function lastSeen() {
  const seen = server.seen.at(-1)
  if (seen === undefined) throw new Error('nothing was sent')
  return seen
}

async function failureOf(call: PromiseLike<unknown>): Promise<StithyError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof StithyError) return error
  throw new Error(`expected a StithyError, got ${inspect(error)}`)
}

describe('a request', () => {
  it('sends the token as a bearer token, and no body on a read', async () => {
    server.respond({ json: { id: 1 } })
    expect(await client.gadgets.show({ gadgetId: 1 })).toEqual({ id: 1 })
    expect(lastSeen()).toMatchObject({ method: 'GET', url: '/api/v4/gadgets/1', body: '' })
    expect(lastSeen().headers.authorization).toBe('Bearer tok-123')
    expect(lastSeen().headers['content-type']).toBeUndefined()
  })

  it('sends OAuth tokens, sudo and the user agent', async () => {
    const own = createClientFor(gadgetRegistry, {
      baseUrl: `${server.url}/api/v4/`,
      oauthToken: 'oauth',
      sudo: 7,
      userAgent: 'my-program/1',
    })
    await own.gadgets.show({ gadgetId: 1 })
    expect(lastSeen().url).toBe('/api/v4/gadgets/1')
    expect(lastSeen().headers).toMatchObject({
      authorization: 'Bearer oauth',
      sudo: '7',
      'user-agent': 'my-program/1',
    })
  })

  it('keeps the path of the base URL', async () => {
    const own = createClientFor(gadgetRegistry, { baseUrl: `${server.url}/code/` })
    await own.gadgets.show({ gadgetId: 1 })
    expect(lastSeen().url).toBe('/code/api/v4/gadgets/1')
    expect(lastSeen().headers.authorization).toBeUndefined()
  })

  it('escapes path parameters', async () => {
    await client.gadgets.files.raw({ gadgetId: 'group/sub project', filePath: 'a/ä?#%.txt' })
    expect(lastSeen().url).toBe(
      '/api/v4/gadgets/group%2Fsub%20project/files/a%2F%C3%A4%3F%23%25.txt/raw',
    )
  })

  it.each([
    ['', 'gadgetId is empty'],
    ['.', 'gadgetId is invalid'],
    ['..', 'gadgetId is invalid'],
    ['\ud800', 'gadgetId is invalid'],
  ])('never sends the path parameter %j, which would name another resource', async (id, text) => {
    const error = await failureOf(client.gadgets.show({ gadgetId: id }))
    expect(error).toMatchObject({ code: 'invalid_parameter', message: text, status: null })
    expect(server.seen).toHaveLength(0)
  })

  it('names a path parameter that an untyped caller has omitted', async () => {
    const error = await failureOf(client.gadgets.show({} as { gadgetId: string }))
    expect(error.message).toBe('gadgetId is missing')
  })

  it('encodes lists, maps and special characters in the query', async () => {
    server.respond({ json: [] })
    await client.gadgets.list({
      search: 'a&b=c +ü',
      iids: [1, 2],
      labels: [],
      custom_attributes: { 'k y': 'v' },
      archived: false,
      order_by: undefined,
      since: '2026-01-01T00:00:00+02:00',
    })
    const query = lastSeen().url.split('?')[1] ?? ''
    expect(query).toContain('%2B02%3A00')
    expect([...new URLSearchParams(query)]).toEqual([
      ['search', 'a&b=c +ü'],
      ['iids[]', '1'],
      ['iids[]', '2'],
      ['labels[]', ''],
      ['custom_attributes[k y]', 'v'],
      ['archived', 'false'],
      ['since', '2026-01-01T00:00:00+02:00'],
    ])
  })

  it('rejects text that a query cannot encode', async () => {
    const error = await failureOf(client.gadgets.list({ search: '\udfff' }))
    expect(error.message).toBe('search is invalid')
  })

  it('sends the parameters of a POST as JSON, without those of the path', async () => {
    server.respond({ status: 201, json: { id: 1 } })
    await client.gadgets.create({ projectId: 3, name: 'ü', due_date: null, parts: [{ name: 'x' }] })
    expect(lastSeen()).toMatchObject({ method: 'POST', url: '/api/v4/projects/3/gadgets' })
    expect(lastSeen().headers['content-type']).toBe('application/json')
    expect(JSON.parse(lastSeen().body)).toEqual({
      name: 'ü',
      due_date: null,
      parts: [{ name: 'x' }],
    })
  })

  it('sends the parameters of a DELETE in the query, and returns undefined for 204', async () => {
    server.respond({ status: 204 })
    expect(await client.gadgets.delete({ gadgetId: 1, hard: true })).toBeUndefined()
    expect(lastSeen()).toMatchObject({ method: 'DELETE', url: '/api/v4/gadgets/1?hard=true' })
  })

  it('sends the secrets of a DELETE as JSON: no URL has them', async () => {
    server.respond({ status: 204 })
    const own = createClient({ baseUrl: server.url, token: 'tok-123', retries: 0 })
    await own.users.twoFactor.delete({ password: 'a password' })
    expect(lastSeen()).toMatchObject({ method: 'DELETE', url: '/api/v4/user/two_factor' })
    expect(JSON.parse(lastSeen().body)).toEqual({ password: 'a password' })
  })

  it.each([
    ['a File', 'a.txt', new File(['hey'], 'a.txt', { type: 'text/plain' })],
    ['a Blob', 'file', new Blob(['hey'], { type: 'text/plain' })],
  ])('sends %s as a multipart form', async (_, filename, file) => {
    server.respond({ status: 201, json: { size: 3 } })
    expect(await client.gadgets.files.create({ gadgetId: 1, file, tags: ['x', 'y'] })).toEqual({
      size: 3,
    })
    expect(lastSeen().headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(lastSeen().body.toLowerCase()).toContain(
      `name="file"; filename="${filename}"\r\ncontent-type: text/plain\r\n\r\nhey`,
    )
    expect(lastSeen().body.match(/name="tags\[\]"/g)).toHaveLength(2)
  })

  it('returns a raw response as the platform does', async () => {
    server.respond({ body: new Uint8Array([0, 255, 10]), headers: { 'content-type': 'x/y' } })
    const response = await client.gadgets.files.raw({ gadgetId: 1, filePath: 'f' })
    expect(response.headers.get('content-type')).toBe('x/y')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([0, 255, 10]))
  })
})

describe('a client', () => {
  it('lists its resources and actions, each built once', () => {
    expect(Object.keys(client)).toEqual(['gadgets', 'rareWords'])
    expect(client.gadgets).toBe(client.gadgets)
    expect(Object.keys(client.gadgets.files)).toEqual(['create', 'raw'])
    expect(client.gadgets.list.name).toBe('list')
  })

  it.each([
    ['a relative address', { baseUrl: 'code.example.org' }],
    ['another protocol', { baseUrl: 'file:///etc' }],
    ['credentials in the address', { baseUrl: 'https://me:s3cret@code.example.org' }],
    ['a token with a line break', { baseUrl: 'https://x.org', token: 's3cret\nX: y' }],
    ['two tokens', { baseUrl: 'https://x.org', token: 's3cret', oauthToken: 's3cret' }],
    ['a sudo that no header can carry', { baseUrl: 'https://x.org', sudo: 'ü' }],
  ])('refuses %s without repeating a secret', (_, options) => {
    let caught: unknown
    try {
      createClientFor(gadgetRegistry, options)
    } catch (error) {
      caught = error
    }
    expect(caught).toBeInstanceOf(TypeError)
    expect(inspect(caught)).not.toContain('s3cret')
  })
})

describe('an error', () => {
  const rows: [number, unknown, string, string][] = [
    [304, undefined, 'not_modified', '304 Not Modified'],
    [400, { error: 'title is missing' }, 'invalid_parameter', 'title is missing'],
    [400, { message: '400 Bad Request' }, 'bad_request', '400 Bad Request'],
    [401, { message: '401 Unauthorized' }, 'unauthorized', '401 Unauthorized'],
    [
      401,
      { message: '401 Unauthorized', error: 'invalid_token', error_description: 'It expired.' },
      'invalid_token',
      'It expired.',
    ],
    [403, { message: '403 Forbidden' }, 'forbidden', '403 Forbidden'],
    [
      403,
      { error: 'insufficient_scope', error_description: 'More.', scope: 'sudo' },
      'insufficient_scope',
      'More.',
    ],
    [404, { message: '404 Project Not Found' }, 'not_found', '404 Project Not Found'],
    [404, { error: '404 Not Found' }, 'unknown_route', '404 Not Found'],
    [409, { message: 'Label already exists' }, 'conflict', 'Label already exists'],
    [418, { message: 'tea' }, 'bad_request', 'tea'],
    [422, { error: 'Invalid url given' }, 'unprocessable', 'Invalid url given'],
    [500, { message: '500 Internal Server Error' }, 'server_error', '500 Internal Server Error'],
    [507, { message: 'full' }, 'insufficient_storage', 'full'],
  ]

  it.each(rows)('of status %i with %j has the code %s', async (status, json, code, message) => {
    server.respond({
      status,
      ...(json === undefined ? {} : { json }),
      headers: { 'x-request-id': 'r1' },
    })
    const error = await failureOf(client.gadgets.show({ gadgetId: 'a/b' }))
    expect(error).toMatchObject({ code, message, status, requestId: 'r1' })
    expect(error).toMatchObject({ method: 'GET', path: '/gadgets/a%2Fb', body: json })
  })

  it('of a validation has the messages by field', async () => {
    const message = { name: ['is taken', 'is long'], inner: { path: ['is odd'] }, error: 'Spam' }
    server.respond({ status: 400, json: { message } })
    const error = await failureOf(client.gadgets.create({ projectId: 1, name: 'x' }))
    expect(error.code).toBe('validation_failed')
    expect(error.fields).toEqual({
      name: ['is taken', 'is long'],
      'inner.path': ['is odd'],
      error: ['Spam'],
    })
    expect(error.message).toBe('name is taken, name is long, inner.path is odd, error Spam')
  })

  it('of a refused note has them too, which the API names in a text', async () => {
    const message = '400 (Bad request) "Note {"note":["can\'t be blank"]}" not given'
    server.respond({ status: 400, json: { message } })
    const error = await failureOf(client.gadgets.create({ projectId: 1, name: 'x' }))
    expect(error).toMatchObject({
      code: 'bad_request',
      message,
      fields: { note: ["can't be blank"] },
    })
  })

  it('shows plain text, but not the error page of a proxy', async () => {
    server.respond({ status: 502, body: 'Retry later', headers: { 'content-type': 'text/plain' } })
    expect((await failureOf(client.gadgets.show({ gadgetId: 1 }))).message).toBe('Retry later')
    server.respond({ status: 502, body: '<html>', headers: { 'content-type': 'text/html' } })
    expect((await failureOf(client.gadgets.show({ gadgetId: 1 }))).message).toBe('502 Bad Gateway')
  })

  it('of a success that is not JSON says so', async () => {
    server.respond({ body: '<html>', headers: { 'content-type': 'text/html' } })
    const error = await failureOf(client.gadgets.show({ gadgetId: 1 }))
    expect(error).toMatchObject({ code: 'unexpected_answer', status: 200 })
  })

  it('never contains the token, even if the server repeats it', async () => {
    server.respond({ status: 400, json: { error: 'tok-123 is invalid' } })
    const answered = await failureOf(client.gadgets.show({ gadgetId: 1 }))
    server.respond('drop')
    const dropped = await failureOf(client.gadgets.show({ gadgetId: 1 }))
    expect(inspect([answered, dropped], { depth: 9, showHidden: true })).not.toContain('tok-123')
  })

  it('distinguishes a lost connection, a timeout and an abort', async () => {
    server.respond('drop')
    const lost = await failureOf(client.gadgets.show({ gadgetId: 1 }))
    expect(lost).toMatchObject({ code: 'network_error', status: null })
    expect(lost.message).toContain(server.url)
    server.respond('hang')
    const late = await failureOf(client.gadgets.show({ gadgetId: 1 }, { timeout: 30 }))
    expect(late.code).toBe('timed_out')
    const aborted = await failureOf(
      client.gadgets.show({ gadgetId: 1 }, { signal: AbortSignal.timeout(30) }),
    )
    expect(aborted.code).toBe('aborted')
  })

  it('reports the target of a redirect, instead of following with a write or to another origin', async () => {
    server.respond(({ url }) =>
      url.startsWith('/elsewhere')
        ? { json: { id: 9 } }
        : { status: 301, headers: { location: `/elsewhere` } },
    )
    expect(await client.gadgets.show({ gadgetId: 1 })).toEqual({ id: 9 })
    const write = await failureOf(client.gadgets.create({ projectId: 1, name: 'x' }))
    expect(write).toMatchObject({ code: 'unexpected_answer', status: 200 })
    const stranger = await startRecordingServer()
    server.respond({ status: 302, headers: { location: `${stranger.url}/x` } })
    const read = await failureOf(client.gadgets.show({ gadgetId: 1 }))
    expect(read.message).toContain(stranger.url)
    expect(stranger.seen[0]?.headers.authorization).toBeUndefined()
    await stranger.close()
  })
})
