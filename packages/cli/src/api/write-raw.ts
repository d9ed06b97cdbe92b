import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { CliError, exitCodes } from '../cli-error.ts'
import type { Output } from '../cli-io.ts'

/** Streams the bytes of a response to a file, or to stdout if none is given (or `-`). */
export async function writeRaw(
  response: Response,
  file: string | undefined,
  stdout: Output,
  signal: AbortSignal,
): Promise<void> {
  const { body } = response
  const source = body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream)
  if (file === undefined || file === '-') {
    await pipeline(source, stdout, { end: false, signal }).catch(rethrow)
    return
  }
  // An existing file is kept until the new bytes are complete.
  const partial = `${file}.part`
  try {
    await pipeline(source, createWriteStream(partial), { signal })
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    if (isFileError(error)) throw new CliError(`The file ${file} cannot be written (${error.code})`)
    rethrow(error)
  }
}

/** `fetch` throws `terminated` if a connection ends before the response does. */
function rethrow(error: unknown): never {
  if (error instanceof TypeError) {
    throw new CliError(
      'The connection was lost before the response was complete',
      exitCodes.unreachable,
    )
  }
  throw error
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
