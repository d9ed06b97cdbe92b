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

function readAnswers(process: GitProcess, queue: Request[]): void {
  const parser = createCatFileParser(
    () => queue[0]?.contents ?? false,
    (answer) => queue.shift()?.resolve(answer),
  )
  process.stdout.on('data', (chunk: Buffer) => {
    try {
      parser.push(chunk)
    } catch (error) {
      failAll(queue, error as Error)
      process.kill()
    }
  })
  process.stdout.on('error', () => {})
}

/** Starts the process; `ended` is called once when it is no longer usable. */
export async function startObjectProcess(
  spawner: Spawner,
  repository: string,
  ended: () => void,
): Promise<ObjectProcess> {
  const args = ['cat-file', '--batch-command']
  const process = await spawner.start({ args, repository, input: true })
  const queue: Request[] = []
  let usable = true
  readAnswers(process, queue)
  void process.exit.then(({ code, stderr, reason }) => {
    usable = false
    ended()
    // Its remaining output is still being read.
    const fail = () =>
      failAll(queue, reason ? errorOf(reason) : failureOf('cat-file', code, stderr))
    if (process.stdout.closed) fail()
    else process.stdout.once('close', fail)
  })
  return {
    get pending() {
      return queue.length
    },
    ask(command, name) {
      if (!usable) return Promise.reject(new ReaderExitedError('failed', 'the object reader ended'))
      return new Promise((resolve, reject) => {
        queue.push({ contents: command === 'contents', resolve, reject })
        process.stdin.write(`${command} ${name}\n`)
      })
    },
    close() {
      usable = false
      process.stdin.end()
    },
  }
}
