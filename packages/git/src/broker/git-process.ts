import type { Socket } from 'node:net'
import { type Readable, Writable } from 'node:stream'
import { GitError, type GitErrorCode } from '../git-error.ts'

/** Why a process did not end by itself: a limit, the caller, or the broker. */
export type EndReason = 'timeout' | 'output_limit' | 'aborted' | 'closed' | 'broker' | 'unstarted'

/** How a process ended. `code` is null when a signal ended it or when it never started. */
export interface GitExit {
  code: number | null
  signal: string | null
  /** At most the last 64 KiB. */
  stderr: string
  /** Present when it did not end by itself. */
  reason?: EndReason
}

/** A running git. Destroying `stdout` before its end kills git and all that it started. */
export interface GitProcess {
  /** Ending it gives git its end of file. When git is gone the rest is swallowed, never an error. */
  stdin: Writable
  /** Emits an error when a limit, an abort or the broker's death cut it short. */
  stdout: Readable
  /** Never rejects. */
  exit: Promise<GitExit>
  kill(reason?: EndReason): void
}

const messages: Record<EndReason, string> = {
  timeout: 'git took longer than it may',
  output_limit: 'git wrote more than it may',
  aborted: 'the caller gave up',
  closed: 'the stream was closed before its end',
  broker: 'the git broker ended while git was running',
  unstarted: 'git could not be started',
}

const codes: Record<EndReason, GitErrorCode> = {
  timeout: 'timeout',
  output_limit: 'output_limit',
  aborted: 'aborted',
  closed: 'aborted',
  broker: 'failed',
  unstarted: 'failed',
}

/** The error that stands for a reason. */
export function errorOf(reason: EndReason, stderr = ''): GitError {
  return new GitError(codes[reason], messages[reason], stderr)
}

/**
 * Git's input. A git that ends early (a refused push) closes its end: the sender must still be
 * read to its end, and git's answer lies in stdout, so a broken pipe is no error here.
 */
export function inputOf(socket: Socket): Writable {
  socket.resume()
  return new Writable({
    highWaterMark: 256 * 1024,
    decodeStrings: true,
    // All that has come goes in one call to the system: a push arrives in pieces of a few kilobytes.
    writev(chunks, done) {
      if (socket.destroyed) return done()
      socket.cork()
      const last = chunks.length - 1
      for (const [index, { chunk }] of chunks.entries()) {
        if (index < last) socket.write(chunk)
        else socket.write(chunk, () => done())
      }
      socket.uncork()
    },
    final(done) {
      socket.end()
      done()
    },
    destroy(error, done) {
      socket.destroy()
      done(error)
    },
  })
}

/** For a git that reads nothing: whatever is written goes nowhere. */
export function noInput(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() }).end()
}
