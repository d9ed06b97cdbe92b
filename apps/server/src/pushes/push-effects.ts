import type { RefUpdate } from '@stithy/core'
import { enqueueJob, type Transaction } from '@stithy/store'

/** What background work is told of a push. */
export interface RecordedPush {
  projectId: number
  userId: number
  updates: readonly RefUpdate[]
  /** Milliseconds since the epoch. */
  pushedAt: number
}

/**
 * The kinds of the jobs that follow every push (catalogue: repository, 14), each of them with a
 * `RecordedPush`. They are jobs of their own, so that one which fails is tried again without the others.
 */
const pushEffectKinds: readonly string[] = []

/** Asks for all that follows a push, in the transaction that records it. */
export async function enqueuePushEffects(tx: Transaction, push: RecordedPush): Promise<void> {
  for (const kind of pushEffectKinds) {
    await enqueueJob(tx, { queue: 'pushes', kind, payload: push }, push.pushedAt)
  }
}
