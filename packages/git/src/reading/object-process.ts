import type { GitProcess } from '../broker/git-process.ts'
import { errorOf } from '../broker/git-process.ts'
import type { Starter } from '../broker/start.ts'
import { failureOf, GitError } from '../git-error.ts'
import { createAnswerParser, type ObjectAnswer } from './answer-parser.ts'

/** A long-lived cat-file of one repository; requests are pipelined and answered in order. */
export interface ObjectProcess {
  /** How many requests are unanswered. */
  readonly pending: number
  /** Undefined when there is no such object. Rejects with GitError when the process dies. */
  ask(command: 'info' | 'contents', name: string): Promise<ObjectAnswer | undefined>
  /** Answers what was asked so far, then ends. */
  close(): void
}

interface Request {
  contents: boolean
  resolve(answer: ObjectAnswer | undefined): void
  reject(error: Error): void
}

/** The process died over an earlier request: this one may be asked again of another. */
export class ReaderGoneError extends GitError {}

function failAll(queue: Request[], error: Error): void {
  const [first, ...others] = queue.splice(0)
  first?.reject(error)
  const gone = new ReaderGoneError('failed', 'the object reader ended over another request')
  for (const request of others) request.reject(gone)
}

function readAnswers(process: GitProcess, queue: Request[]): void {
  const parser = createAnswerParser(
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

/** Starts the process; `ended` is called once when it is of no more use. */
export async function startObjectProcess(
  starter: Starter,
  repository: string,
  ended: () => void,
): Promise<ObjectProcess> {
  const args = ['cat-file', '--batch-command']
  const process = await starter.start({ args, repository, input: true })
  const queue: Request[] = []
  let usable = true
  readAnswers(process, queue)
  void process.exit.then(({ code, stderr, reason }) => {
    usable = false
    ended()
    // What it wrote before it ended is still being read.
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
      if (!usable) return Promise.reject(new ReaderGoneError('failed', 'the object reader ended'))
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
