import type { RecordedPush } from '../../code/pushes/push.changes.ts'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { readCommitMessages, readCommitMessagesKind } from './commit-message.service.ts'

/** Adds system notes and closes issues according to the messages of pushed commits. */
export const readCommitMessagesJob: JobHandler = {
  kind: readCommitMessagesKind,
  run: async (app, payload, signal) => readCommitMessages(app, payload as RecordedPush, signal),
}
