import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bodyOf } from './request-body.ts'

/** A request with this body. */
function message(body: Buffer, headers: Record<string, string> = {}): IncomingMessage {
  const stream = Object.assign(new PassThrough(), { headers })
  stream.end(body)
  return stream as unknown as IncomingMessage
}

const gzip = { 'content-encoding': 'gzip' }
const text = Buffer.from('0123456789'.repeat(1000))

describe('bodyOf', () => {
  it.each([
    ['plain', text, {}],
    ['compressed', gzipSync(text), gzip],
  ])('returns a %s body of at most the maximum size', async (_kind, bytes, headers) => {
    const body = bodyOf(message(bytes, headers), { maxBytes: text.length })
    expect(await buffer(body)).toEqual(text)
  })

  it.each([
    ['plain', text, {}],
    ['compressed', gzipSync(text), gzip],
  ])('fails for a larger %s body, and reads it to its end', async (_kind, bytes, headers) => {
    const request = message(bytes, headers)
    const body = bodyOf(request, { maxBytes: text.length - 1 })
    await expect(buffer(body)).rejects.toMatchObject({ status: 413 })
    await expect.poll(() => request.readableEnded).toBe(true)
  })
})
