import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildTestServer, type Json, type TestServer } from '../../testing/test-server.ts'
import type { Config } from '../config/config.ts'

let server: TestServer
let project: Json
let address: URL

beforeAll(async () => {
  server = await buildTestServer()
  project = await server.buildProject()
  address = new URL(await server.url())
})
afterAll(() => server.close())

/** Sends the head of a POST without its body; returns the response. */
async function sendHead(headers: Record<string, string>, query = ''): Promise<string> {
  const socket = connect(Number(address.port), address.hostname)
  await once(socket, 'connect')
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(
    `POST /api/v4/projects/${project.id}/issues${query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.join('')}\r\n`,
  )
  const [first] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return first.toString().split('\r\n')[0] ?? ''
}

const json = { 'content-type': 'application/json' }

describe('POST /projects/:id/issues whose body has not arrived', () => {
  it.each([
    ['a body above 64 KiB and no token', { ...json, 'content-length': '65537' }],
    ['a body of unknown size and no token', { ...json, 'transfer-encoding': 'chunked' }],
    [
      'a form of many parts and no token',
      {
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': '700000000',
      },
    ],
    ['an invalid token', { ...json, 'content-length': '10', 'private-token': 'x'.repeat(20) }],
  ])('returns 401 for %s', async (_, headers) => {
    expect(await sendHead(headers)).toBe('HTTP/1.1 401 Unauthorized')
  })

  it('returns 413 for a body above 64 KiB without a token where none is needed', async () => {
    const { status } = await server.inject('POST', '/markdown', {
      body: { text: 'a'.repeat(70_000) },
    })
    expect(status).toBe(413)
    const body = { text: 'a'.repeat(70_000) }
    const known = await server.inject('POST', '/markdown', { token: server.root.token, body })
    expect(known.status).toBe(201)
  })

  it('returns 401 for an invalid token in the query', async () => {
    const headers = { ...json, 'content-length': '10' }
    const query = `?private_token=${'x'.repeat(20)}`
    expect(await sendHead(headers, query)).toBe('HTTP/1.1 401 Unauthorized')
  })
})

describe('credentials in the body of POST /projects/:id/issues', () => {
  const path = () => `/projects/${project.id}/issues`

  it('identify the caller', async () => {
    const body = { title: 'A', private_token: server.root.token }
    expect((await server.inject('POST', path(), { body })).status).toBe(201)
  })

  it('select another user with sudo, as those in the query do', async () => {
    const user = await server.buildUser()
    const { token } = server.root
    await server.inject('PUT', `/projects/${project.id}`, {
      token,
      body: { visibility: 'public' },
    })
    const { status, body } = await server.inject('POST', path(), {
      token,
      body: { title: 'A', sudo: user.username },
    })
    expect([status, body.author.id]).toEqual([201, user.id])
  })
})

describe('a multipart body', () => {
  it('is refused with 413 when its parts together exceed 18 MiB', async () => {
    const form = new FormData()
    form.set('title', 'A')
    for (const name of ['a', 'b', 'c', 'd']) form.set(name, 'x'.repeat(5 * 1024 * 1024))
    const response = await fetch(`${address.origin}/api/v4/projects/${project.id}/issues`, {
      method: 'POST',
      headers: { 'private-token': server.root.token },
      body: form,
    })
    expect(response.status).toBe(413)
    await response.arrayBuffer()
  })
})

describe('the address of a client behind proxies', () => {
  beforeEach(() => {
    // Both requests are in the same second.
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** The statuses of two requests, of one a second and address, that claim different addresses. */
  async function statusesBehind(trustProxy: Config['trustProxy']): Promise<number[]> {
    const limited = await buildTestServer({ rateLimitAnonymous: 1, trustProxy })
    const statuses: number[] = []
    for (const forwarded of ['198.51.100.1, 192.0.2.1', '198.51.100.2, 192.0.2.1']) {
      const headers = { 'x-forwarded-for': forwarded }
      statuses.push((await limited.inject('GET', '/projects', { headers })).status)
    }
    await limited.close()
    return statuses
  }

  it('is what the one trusted proxy saw, not what the client claims', async () => {
    expect(await statusesBehind(1)).toEqual([200, 429])
  })

  it('is what the outermost of two trusted proxies saw', async () => {
    expect(await statusesBehind(2)).toEqual([200, 200])
  })

  it('is believed of proxies in the given networks only', async () => {
    expect(await statusesBehind(['127.0.0.0/8', '192.0.2.0/24'])).toEqual([200, 200])
    expect(await statusesBehind(['10.0.0.0/8'])).toEqual([200, 429])
  })
})
