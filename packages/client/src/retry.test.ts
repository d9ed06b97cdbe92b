import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { gadgetRegistry, type RecordingServer, startRecordingServer } from '../test/testing.ts'
import { createClientFor } from './index.ts'
import { parseRetryAfter, retryDelay } from './retry.ts'
import { StithyError } from './stithy-error.ts'

let server: RecordingServer

beforeAll(async () => {
  server = await startRecordingServer()
})

afterAll(() => server.close())

beforeEach(() => {
  server.seen.length = 0
})

function connect(retries?: number) {
  return createClientFor(gadgetRegistry, {
    baseUrl: server.url,
    ...(retries === undefined ? {} : { retries }),
  }).gadgets
}

function failure(code: 'unavailable' | 'network_error', method: string, retryAfter?: number) {
  return new StithyError(code, '', { method, path: '/' }, { retryAfter: retryAfter ?? null })
}

describe('retries', () => {
  it.each([429, 503])('retries a write after a %i', async (status) => {
    server.respond((_, count) =>
      count === 0 ? { status, headers: { 'retry-after': '0' } } : { status: 201, json: { id: 1 } },
    )
    await connect().create({ projectId: 1, name: 'x' })
    expect(server.seen.map(({ body }) => body)).toEqual(['{"name":"x"}', '{"name":"x"}'])
  })

  it('retries a complete form', async () => {
    server.respond((_, count) =>
      count === 0 ? { status: 503, headers: { 'retry-after': '0' } } : { status: 201, json: {} },
    )
    await connect().files.create({ gadgetId: 1, file: new Blob(['bytes']) })
    expect(server.seen[1]?.body).toContain('bytes')
  })

  it('waits as long as the server asks', async () => {
    server.respond((_, count) =>
      count === 0 ? { status: 429, headers: { 'retry-after': '1' } } : { json: {} },
    )
    const start = performance.now()
    await connect().show({ gadgetId: 1 })
    expect(performance.now() - start).toBeGreaterThanOrEqual(995)
  })

  it('gives up at its limit', async () => {
    server.respond({ status: 503, headers: { 'retry-after': '0' } })
    await expect(connect(2).show({ gadgetId: 1 })).rejects.toMatchObject({ code: 'unavailable' })
    expect(server.seen).toHaveLength(3)
  })

  it('does not wait for a server that asks for an hour', async () => {
    server.respond({ status: 503, headers: { 'retry-after': '3600' } })
    await expect(connect().show({ gadgetId: 1 })).rejects.toMatchObject({ retryAfter: 3600 })
    expect(server.seen).toHaveLength(1)
  })

  it('retries a read whose connection was lost, never a write', async () => {
    server.respond((_, count) => (count === 0 ? 'drop' : { json: { id: 1 } }))
    expect(await connect().show({ gadgetId: 1 })).toEqual({ id: 1 })
    server.respond('drop')
    server.seen.length = 0
    await expect(connect().create({ projectId: 1, name: 'x' })).rejects.toMatchObject({
      code: 'network_error',
    })
    expect(server.seen).toHaveLength(1)
  })

  it('retries no other failure', async () => {
    server.respond({ status: 500, json: {} })
    await expect(connect().show({ gadgetId: 1 })).rejects.toMatchObject({ code: 'server_error' })
    expect(server.seen).toHaveLength(1)
  })

  it('stops waiting when the signal is aborted', async () => {
    const controller = new AbortController()
    server.respond(() => {
      setTimeout(() => controller.abort(), 50)
      return { status: 503, headers: { 'retry-after': '30' } }
    })
    const start = performance.now()
    const call = connect().show({ gadgetId: 1 }, { signal: controller.signal })
    await expect(call).rejects.toMatchObject({ code: 'aborted' })
    expect(performance.now() - start).toBeLessThan(5000)
    expect(server.seen).toHaveLength(1)
  })
})

describe('retryDelay', () => {
  it('doubles, half of it random, up to a maximum', () => {
    const error = failure('unavailable', 'POST')
    expect(retryDelay(error, 0, () => 0)).toBe(125)
    expect(retryDelay(error, 0, () => 1)).toBe(250)
    expect(retryDelay(error, 3, () => 1)).toBe(2000)
    expect(retryDelay(error, 40, () => 1)).toBe(8000)
  })

  it('is undefined for a write without a response', () => {
    expect(retryDelay(failure('network_error', 'PUT'), 0)).toBeUndefined()
    expect(retryDelay(failure('network_error', 'GET'), 0)).toBeTypeOf('number')
  })
})

describe('parseRetryAfter', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  it.each([
    [null, null],
    ['', null],
    ['soon', null],
    ['7', 7],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ])('reads %j as %j', (header, seconds) => {
    expect(parseRetryAfter(header, now)).toBe(seconds)
  })
})
