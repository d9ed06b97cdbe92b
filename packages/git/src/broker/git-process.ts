import type { Socket } from 'node:net'
import { type Readable, Writable } from 'node:stream'
import { failureOf, GitError, type GitErrorCode } from '../git-error.ts'

/** Why a process was ended: a limit, the caller, or the broker. */
export type EndReason =
  | 'timeout'
  | 'processor_time'
  | 'stack'
  | 'output_limit'
  | 'aborted'
  | 'closed'
  | 'broker'
  | 'unstarted'

/** How a process ended. `code` is null if a signal ended it or it never started. */
export interface GitExit {
  code: number | null
  signal: string | null
  /** At most the last 64 KiB. */
  stderr: string
  /** Set if the process was ended. */
  reason?: EndReason
}

/** A running git. Destroying `stdout` before its end kills git and its children. */
export interface GitProcess {
  /**
   * Ending it closes git's stdin. After git has exited, further input is discarded without an
   * error.
   */
  stdin: Writable
  /** Emits an error when a limit, an abort or a crash of the broker ends it early. */
  stdout: Readable
  /** Never rejects. */
  exit: Promise<GitExit>
  kill(reason?: EndReason): void
}

const messages: Record<EndReason, string> = {
  timeout: 'git exceeded its time limit',
  processor_time: 'git exceeded its limit of processor time',
  stack: 'git exceeded its stack',
  output_limit: 'git exceeded its output limit',
  aborted: 'aborted by the caller',
  closed: 'the stream was closed before its end',
  broker: 'the git broker exited while git was running',
  unstarted: 'git could not be started',
}

const codes: Record<EndReason, GitErrorCode> = {
  timeout: 'timeout',
  processor_time: 'timeout',
  stack: 'memory_limit',
  output_limit: 'output_limit',
  aborted: 'aborted',
  closed: 'aborted',
  broker: 'failed',
  unstarted: 'failed',
}

/** The error for a reason. */
export function errorOf(reason: EndReason, stderr = ''): GitError {
  return new GitError(codes[reason], messages[reason], stderr)
}

/** The error of a process that was ended or did not exit with 0; `what` is its command. */
export function exitError(what: string, { reason, code, stderr }: GitExit): GitError {
  return reason ? errorOf(reason, stderr) : failureOf(what, code, stderr)
}

/**
 * Git's stdin. A git that exits early (a refused push) closes its end: the sender must still be
 * read to the end, and git's response is in stdout, so a broken pipe is not an error here.
 */
export function inputOf(socket: Socket): Writable {
  socket.resume()
  return new Writable({
    highWaterMark: 256 * 1024,
    decodeStrings: true,
    // All pending chunks are written in one system call: a push arrives in chunks of a few
    // kilobytes.
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

/** For a git that reads nothing: all input is discarded. */
export function noInput(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() }).end()
}
