import { promisify } from 'node:util'
import { gzip, zstdCompressSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createScratchBuffers } from './scratch-buffers.ts'

const compress = promisify(gzip)

/** Bytes that fit into one packet: less is not sent faster. */
const minBytes = 1_400

/** Of gzip: 3 % longer than the default makes pages, in a third of its time. */
const level = 3

/**
 * Up to this many bytes zstd (RFC 8878), which compresses as well as gzip in a fraction of its time, is
 * done sooner than a thread could be asked to do it.
 */
const maxZstdBytes = 512 * 1024

/** The text of a page is encoded into memory that is used again: it would be most of what a page leaves behind. */
const buffers = createScratchBuffers({ bytes: maxZstdBytes, kept: 4 })

/**
 * The body of a page or asset as the client accepts it, compressed, and the headers that say so. What it
 * contains of secrets must differ each time, as masked tokens do.
 */
export async function compressed(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
): Promise<string | Buffer> {
  if (body.length < minBytes) return body
  vary(reply, 'Accept-Encoding')
  const preference = preferencesOf(request.headers['accept-encoding'])
  const [zstdPreference, gzipPreference] = [preference('zstd'), preference('gzip')]
  if (zstdPreference === 0 && gzipPreference === 0) return body
  const { bytes, release } = buffers.encode(body)
  try {
    const isZstd = zstdPreference >= gzipPreference && bytes.length <= maxZstdBytes
    if (!isZstd && gzipPreference === 0) return body
    reply.header('content-encoding', isZstd ? 'zstd' : 'gzip')
    return isZstd ? zstdCompressSync(bytes) : await compress(bytes, { level })
  } finally {
    release()
  }
}

/** The weight that a header `Accept-Encoding` gives a coding, 0 if it isn't accepted (RFC 9110, section 12.5.3). */
function preferencesOf(header: string | string[] | undefined): (coding: string) => number {
  const text = typeof header === 'string' ? header : (header ?? []).join()
  const weights = new Map<string, number>()
  for (const part of text.split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
    const weight = parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1
    weights.set(coding, Number(weight) || 0)
  }
  return (coding) => weights.get(coding) ?? 0
}

function vary(reply: FastifyReply, name: string): void {
  const before = reply.getHeader('vary')
  reply.header('vary', before === undefined ? name : `${before}, ${name}`)
}
