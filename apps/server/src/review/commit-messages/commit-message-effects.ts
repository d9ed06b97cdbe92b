import { enqueueJob, type Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'
import { readCommitMessagesKind } from './commit-message.service.ts'

/** Enqueues a job that reads which items the messages of the new commits mention and close. */
export async function enqueueCommitMessageJob(
  tx: Transaction,
  { push, now }: Change<'refs.moved'>,
): Promise<void> {
  await enqueueJob(tx, { queue: 'pushes', kind: readCommitMessagesKind, payload: push }, now)
}
