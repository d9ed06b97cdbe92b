import type { RefUpdate } from '@stithy/core'
import { enqueueJob, type Transaction } from '@stithy/store'
import { readCommitMessagesKind } from '../commit-messages/commit-message.service.ts'
import { refreshMergeRequestsKind } from '../merge-requests/merge-request-refresh.service.ts'
import { pushHooksKind } from '../webhooks/webhook-events.ts'

/** What background work is told of a push. */
export interface RecordedPush {
  /** Tells it from all others, for effects that must not come twice. */
  key: string
  projectId: number
  userId: number
  updates: readonly RefUpdate[]
  /** What came with it by `git push -o`: `ci.skip`, `merge_request.create`, and anything else. */
  options: readonly string[]
  /** Milliseconds since the epoch. */
  pushedAt: number
  /** The default branch and its tip once the refs had moved: what new branches are told by. */
  defaultBranch: string | null
  head: string | null
}

/**
 * The kinds of the jobs that follow every push (catalogue: repository, 14), each of them with a
 * `RecordedPush`. They are jobs of their own, so that one which fails is tried again without the others.
 */
const pushEffectKinds: readonly string[] = [
  pushHooksKind,
  refreshMergeRequestsKind,
  readCommitMessagesKind,
]

/** Asks for all that follows a push, in the transaction that records it. */
export async function enqueuePushEffects(tx: Transaction, push: RecordedPush): Promise<void> {
  for (const kind of pushEffectKinds) {
    await enqueueJob(tx, { queue: 'pushes', kind, payload: push }, push.pushedAt)
  }
}
