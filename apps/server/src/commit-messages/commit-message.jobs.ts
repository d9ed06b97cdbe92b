import type { JobHandler } from '../jobs/worker.ts'
import type { RecordedPush } from '../pushes/push-effects.ts'
import { readCommitMessages, readCommitMessagesKind } from './commit-message.service.ts'

/** Does what the messages of pushed commits say (catalogue: issues, 7). */
export const readCommitMessagesJob: JobHandler = {
  kind: readCommitMessagesKind,
  run: async (app, payload, signal) => readCommitMessages(app, payload as RecordedPush, signal),
}
