import type { IncomingMessage } from 'node:http'
import { finished, pipeline, type Readable, Transform } from 'node:stream'
import { pipeline as flow } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { GitProcess } from '@stithy/git'
import { GitRefusalError } from './git-refusal.ts'

/** Up to here a body may be packed as tightly as it likes. */
const freeBytes = 16 * 1024 * 1024
/** Lists of object ids pack about 2:1, and packs of objects not at all: more is meant to harm. */
const maxRatio = 50

/**
 * The bytes of a request, unpacked where they come packed; never held as a whole. Where they cannot be
 * unpacked the stream breaks, and what else comes is thrown away: the client can still be told.
 * @throws GitRefusalError for an encoding that is none of git's
 */
export function bodyOf(message: IncomingMessage): Readable {
  const encoding = message.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return message
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new GitRefusalError(415, `The content encoding ${encoding.slice(0, 40)} is not known.`)
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
      if (tooTight) done(new GitRefusalError(413, 'The request is packed too tightly.'))
      else done(null, chunk)
    },
  })
  // The end of any of them ends all, but for the message: it carries the connection for the answer.
  pipeline(message.pipe(counter), createGunzip(), guard, (error) => {
    if (error) message.unpipe(counter).resume()
  })
  finished(message, { writable: false }, (error) => {
    if (error) counter.destroy(error)
  })
  return guard
}

/** What to say of a body that could not be read to its end. */
export function brokenBody(error: unknown): GitRefusalError {
  if (error instanceof GitRefusalError) return error
  return new GitRefusalError(400, 'The request is damaged: its body could not be unpacked.')
}

/**
 * Gives a body to git, which is ended where the body breaks off: nobody wants an answer to a part of a
 * question. The function that comes back tells once git has ended whether that was why.
 */
export function feed(
  body: Readable,
  { stdin, exit, kill }: GitProcess,
): () => Promise<GitRefusalError | undefined> {
  let fault: unknown
  flow(body, stdin).catch((error: unknown) => {
    fault = error
    kill('aborted')
  })
  return async () => ((await exit).reason === 'aborted' ? brokenBody(fault) : undefined)
}
