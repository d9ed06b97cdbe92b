import type { IncomingMessage } from 'node:http'
import { finished, PassThrough, pipeline, type Readable, Transform } from 'node:stream'
import { pipeline as flow } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { GitProcess } from '@stithy/git'
import { GitHttpError } from './git-http-error.ts'

/** Up to this size a body may have any compression ratio. */
const freeBytes = 16 * 1024 * 1024
/** Lists of object ids compress about 2:1, and packs not at all: a higher ratio is an attack. */
const maxRatio = 50

/**
 * The decompressed body of a request, as a stream. If it cannot be decompressed or exceeds
 * `maxBytes`, the stream fails and the remaining input is discarded, so that the client still gets
 * a response.
 * @throws GitHttpError for an encoding that git does not use
 */
export function bodyOf(
  message: IncomingMessage,
  { maxBytes = Number.POSITIVE_INFINITY }: { maxBytes?: number } = {},
): Readable {
  const encoding = message.headers['content-encoding'] ?? 'identity'
  const isPlain = encoding === 'identity'
  if (isPlain && maxBytes === Number.POSITIVE_INFINITY) return message
  if (!isPlain && encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new GitHttpError(415, `The content encoding ${encoding.slice(0, 40)} is not supported.`)
  }
  let packed = 0
  let unpacked = 0
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      packed += chunk.length
      done(null, chunk)
    },
  })
  const guard = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      unpacked += chunk.length
      const tooTight = unpacked > freeBytes && unpacked > packed * maxRatio
      if (unpacked > maxBytes) done(new GitHttpError(413, 'The request is too large.'))
      else if (tooTight)
        done(new GitHttpError(413, 'The request exceeds the allowed compression ratio.'))
      else done(null, chunk)
    },
  })
  // An error in one destroys all, except the socket: it is needed for the response.
  const decode = isPlain ? new PassThrough() : createGunzip()
  pipeline(message.pipe(counter), decode, guard, (error) => {
    if (error) message.unpipe(counter).resume()
  })
  finished(message, { writable: false }, (error) => {
    if (error) counter.destroy(error)
  })
  return guard
}

/** The response to a body that could not be read completely. */
export function bodyError(error: unknown): GitHttpError {
  if (error instanceof GitHttpError) return error
  return new GitHttpError(400, 'The request is corrupt: its body could not be decompressed.')
}

/**
 * Pipes a body to git, and kills git if the body fails: a response to an incomplete request is
 * useless. The returned function resolves, once git has exited, to the failure if that was the
 * cause.
 */
export function pipeBody(
  body: Readable,
  { stdin, exit, kill }: GitProcess,
): () => Promise<GitHttpError | undefined> {
  let failure: unknown
  flow(body, stdin).catch((error: unknown) => {
    failure = error
    kill('aborted')
  })
  return async () => ((await exit).reason === 'aborted' ? bodyError(failure) : undefined)
}
