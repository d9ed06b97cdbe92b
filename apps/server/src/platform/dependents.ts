import type { Transaction } from '@stithy/store'
import type { App } from './app.ts'
import { inBatches } from './jobs/in-batches.ts'

/** Changes up to `limit` dependent rows of a row that is being deleted; returns how many. */
export type Batch<Key> = (tx: Transaction, args: Key & { limit: number }) => Promise<number>

/** The dependent rows of one slice, changed in transactions of `size` rows, by default 1,000. */
export interface Dependent<Key> {
  batch: Batch<Key>
  size?: number
}

/**
 * What must be deleted or reassigned before the row of a project, group or user can be deleted, in
 * order. The app layer fills it.
 */
export interface Dependents {
  ofProject: readonly Dependent<{ projectId: number }>[]
  ofGroup: readonly Dependent<{ groupId: number }>[]
  /** Deletes resources that the user owned; run first. */
  beforeUser: readonly ((app: App, userId: number) => Promise<void>)[]
  /** Contributions that are reassigned to another user, the ghost user. */
  movedWithUser: readonly Dependent<{ from: number; to: number }>[]
  /** Contributions that are deleted with their author, if requested. */
  removedWithUser: readonly Dependent<{ userId: number }>[]
  /** Rows that can't be reassigned, such as assignments and personal snippets. */
  endedWithUser: readonly Dependent<{ userId: number }>[]
}

declare module './app.ts' {
  interface App {
    dependents: Dependents
  }
}

/** Processes dependents in batches, so that other writers aren't blocked. Idempotent. */
export async function applyToDependents<Key>(
  app: App,
  dependents: readonly Dependent<Key>[],
  key: Key,
): Promise<void> {
  for (const { batch, size } of dependents) {
    await inBatches((limit) => app.db.transaction((tx) => batch(tx, { ...key, limit })), size)
  }
}
