import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate as tick } from 'node:timers/promises'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callInProcess, type InProcessCall } from './in-process-call.ts'

let server: FastifyInstance
/** What a route has written, and whether its source was ended. */
let source: Readable

beforeAll(async () => {
  server = fastify()
  const seen: string[] = []
  server.addHook('onResponse', async (request, reply) => {
    seen.push(`${request.method} ${request.url} ${reply.raw.statusCode}`)
  })
  server.get('/seen', () => seen)
  server.get('/text', (request, reply) => reply.header('X-Address', request.ip).send('text'))
  server.get('/none', (_, reply) => reply.code(204).send())
  server.post('/json', { bodyLimit: 32 }, (request) => ({ got: request.body }))
  server.get('/chunks', (_, reply) => reply.send(Readable.from(['ä', Buffer.from('b'), 'c'])))
  server.get('/endless', (_, reply) => {
    let number = 0
    source = new Readable({
      read() {
        number += 1
        this.push(`${number}`.padEnd(16_384))
      },
    })
    return reply.send(source)
  })
  server.get('/broken', (_, reply) => {
    const broken = new Readable({ read() {} })
    setImmediate(() => broken.push('first'))
    setTimeout(() => broken.destroy(new Error('broken')), 20)
    return reply.send(broken)
  })
  server.get('/gone', (_, reply) => reply.raw.destroy())
  await server.ready()
})
afterAll(() => server.close())

function call(method: string, url: string, parts: Partial<InProcessCall> = {}) {
  return callInProcess(server, {
    method,
    url,
    headers: {},
    remoteAddress: '192.0.2.1',
    isStream: false,
    ...parts,
  })
}

describe('a call within the process', () => {
  it('returns status, headers and text, and runs the hooks', async () => {
    const answer = await call('GET', '/text?x=1')
    expect(answer).toMatchObject({ status: 200, body: 'text' })
    expect(answer.headers).toMatchObject({ 'x-address': '192.0.2.1', 'content-length': '4' })
    await tick()
    expect(String((await call('GET', '/seen')).body)).toContain('GET /text?x=1 200')
  })

  it('of a HEAD has no body, and of a 204 neither', async () => {
    expect(await call('HEAD', '/text')).toMatchObject({ status: 200, body: '' })
    expect(await call('GET', '/none')).toMatchObject({ status: 204, body: '' })
  })

  it('sends a body, of which the limits hold', async () => {
    const headers = { 'content-type': 'application/json' }
    const sent = await call('POST', '/json', { headers, body: '{"a":"ä"}' })
    expect(JSON.parse(String(sent.body))).toEqual({ got: { a: 'ä' } })
    const long = await call('POST', '/json', { headers, body: JSON.stringify('x'.repeat(32)) })
    expect(long.status).toBe(413)
  })

  it('joins what is written in parts', async () => {
    expect(String((await call('GET', '/chunks')).body)).toBe('äbc')
  })

  it('passes a stream on as it is written, no faster than it is read', async () => {
    const { status, body } = await call('GET', '/endless', { isStream: true })
    expect(status).toBe(200)
    const chunks = (body as Readable)[Symbol.asyncIterator]()
    expect(String((await chunks.next()).value)).toMatch(/^1 /)
    for (let turn = 0; turn < 50; turn += 1) await tick()
    const read = source.readableLength
    for (let turn = 0; turn < 50; turn += 1) await tick()
    expect(source.readableLength).toBe(read)
    expect(source.destroyed).toBe(false)
    await chunks.return?.()
    for (let turn = 0; turn < 5; turn += 1) await tick()
    expect(source.destroyed).toBe(true)
  })

  it('that breaks off fails, as a stream while it is read', async () => {
    await expect(call('GET', '/gone')).rejects.toThrow('ended before it was complete')
    await expect(call('GET', '/broken')).rejects.toThrow('ended before it was complete')
    const { body } = await call('GET', '/broken', { isStream: true })
    await expect(text(body as Readable)).rejects.toThrow()
  })
})
