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
  const accepted = acceptedCodings(request.headers['accept-encoding'])
  if (!accepted.has('zstd') && !accepted.has('gzip')) return body
  const { bytes, release } = buffers.encode(body)
  try {
    const isZstd = accepted.has('zstd') && bytes.length <= maxZstdBytes
    if (!isZstd && !accepted.has('gzip')) return body
    reply.header('content-encoding', isZstd ? 'zstd' : 'gzip')
    return isZstd ? zstdCompressSync(bytes) : await compress(bytes, { level })
  } finally {
    release()
  }
}

/** The codings of a header `Accept-Encoding`, but for those with `q=0` (RFC 9110, section 12.5.3). */
function acceptedCodings(header: string | string[] | undefined): Set<string> {
  const text = typeof header === 'string' ? header : (header ?? []).join()
  const codings = text.split(',').map((part) => {
    const [coding = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
    const isRefused = parameters.some((each) => Number(each.replace('q=', '')) === 0)
    return isRefused ? '' : coding
  })
  return new Set(codings)
}

function vary(reply: FastifyReply, name: string): void {
  const before = reply.getHeader('vary')
  reply.header('vary', before === undefined ? name : `${before}, ${name}`)
}
