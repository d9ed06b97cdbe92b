import { fileURLToPath } from 'node:url'
import { DomainError, type LintResult } from '@stithy/core'
import { lintScript } from '../../platform/runtime.ts'
import { timeoutFor } from '../../platform/text/text-thread.ts'
import { askThread, openThread } from '../../platform/threads/worker-thread.ts'
import type { LintAnswer, LintRequest } from './lint-messages.ts'

const script = {
  bundled: lintScript,
  source: fileURLToPath(new URL('./lint-worker.ts', import.meta.url)),
}

/** Threads that handle one file at a time: short ones don't wait for long ones. */
const threads = { short: openThread(script), long: openThread(script) }

/** Length in characters from which a file waits for the other thread. */
const longFile = 32_768

/** Maximum time in the queue, in milliseconds. */
const waitMs = 15_000

/**
 * Checks a CI configuration file, in a thread.
 * @throws DomainError `unavailable` if too many are waiting
 */
export async function lintConfiguration(content: string): Promise<LintResult> {
  const thread = content.length < longFile ? threads.short : threads.long
  const limits = { answerMs: timeoutFor(content.length), waitMs }
  const answer = await askThread<LintRequest, LintAnswer>(thread, { content }, limits)
  if (answer === 'late') {
    throw new DomainError('unavailable', { message: 'The server is too busy to check the file.' })
  }
  // Undefined: it took too much time or memory.
  const error = answer === undefined ? 'The configuration is too complex' : answer.error
  return error === undefined
    ? { status: 'valid', errors: [] }
    : { status: 'invalid', errors: [error] }
}
