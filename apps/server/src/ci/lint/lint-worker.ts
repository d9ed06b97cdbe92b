import { parentPort } from 'node:worker_threads'
import { checkConfiguration } from './check-configuration.ts'
import type { LintAnswer, LintRequest } from './lint-messages.ts'

// A separate thread: YAML can be made to take long, and is killed then.
parentPort?.on('message', ({ content }: LintRequest) => {
  const answer: LintAnswer = { error: checkConfiguration(content) }
  parentPort?.postMessage(answer)
})
parentPort?.postMessage('ready')
