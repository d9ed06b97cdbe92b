import process from 'node:process'
import type { Writable } from 'node:stream'
import type { GitProcess } from '../broker/git-process.ts'
import { errorOf } from '../broker/git-process.ts'
import type { Spawner } from '../broker/start.ts'
import { failureOf, GitError } from '../git-error.ts'
import { type CatFileObject, createCatFileParser } from './cat-file-parser.ts'

/** A long-lived cat-file of one repository; requests are pipelined and answered in order. */
export interface ObjectProcess {
  /** The number of unanswered requests. */
  readonly pending: number
  /** Undefined if there is no such object. Rejects with GitError if the process dies. */
  ask(command: 'info' | 'contents', name: string): Promise<CatFileObject | undefined>
  /** Answers pending requests, then ends. */
  close(): void
}

interface Request {
  contents: boolean
  resolve(answer: CatFileObject | undefined): void
  reject(error: Error): void
}

/** The process died on an earlier request: this one may be retried with another. */
export class ReaderExitedError extends GitError {}

function failAll(queue: Request[], error: Error): void {
  const [first, ...others] = queue.splice(0)
  first?.reject(error)
  const exited = new ReaderExitedError('failed', 'the object reader exited on another request')
  for (const request of others) request.reject(exited)
}

function readAnswers(git: GitProcess, queue: Request[]): void {
  const parser = createCatFileParser(
    () => queue[0]?.contents ?? false,
    (answer) => queue.shift()?.resolve(answer),
  )
  git.stdout.on('data', (chunk: Buffer) => {
    try {
      parser.push(chunk)
      release(chunk)
    } catch (error) {
      failAll(queue, error as Error)
      git.kill()
    }
  })
  git.stdout.on('error', () => {})
}

/**
 * Gives the memory of a chunk back. A repository that is indexed comes in thousands of them, and to
 * collect them would take the garbage collector tens of milliseconds at a time.
 */
function release({ buffer, byteLength }: Buffer): void {
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** Collects lines, and writes those of a turn together. */
function createLineWriter(stdin: Writable): (line: string) => void {
  let lines = ''
  return (line) => {
    if (lines === '') {
      process.nextTick(() => {
        const written = lines
        lines = ''
        stdin.write(written)
      })
    }
    lines += line
  }
}

/** Starts the process; `ended` is called once when it is no longer usable. */
export async function startObjectProcess(
  spawner: Spawner,
  place: { repository: string; background: boolean },
  ended: () => void,
): Promise<ObjectProcess> {
  const args = ['cat-file', '--batch-command']
  const git = await spawner.start({ ...place, args, input: true })
  const write = createLineWriter(git.stdin)
  const queue: Request[] = []
  let usable = true
  readAnswers(git, queue)
  void git.exit.then(({ code, stderr, reason }) => {
    usable = false
    ended()
    // Its remaining output is still being read.
    const fail = () =>
      failAll(queue, reason ? errorOf(reason) : failureOf('cat-file', code, stderr))
    if (git.stdout.closed) fail()
    else git.stdout.once('close', fail)
  })
  return {
    get pending() {
      return queue.length
    },
    ask(command, name) {
      if (!usable) return Promise.reject(new ReaderExitedError('failed', 'the object reader ended'))
      return new Promise((resolve, reject) => {
        queue.push({ contents: command === 'contents', resolve, reject })
        write(`${command} ${name}\n`)
      })
    },
    close() {
      usable = false
      // After what is written in this turn.
      process.nextTick(() => git.stdin.end())
    },
  }
}
