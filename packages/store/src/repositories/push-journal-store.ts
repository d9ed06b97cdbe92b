import type { Queries, Transaction } from '../queries.ts'
import { fromJsonText, inList, jsonText } from '../sql.ts'

/** The queue and the kind of the jobs that stand for pushes under way. */
const pushQueue = 'pushes'
export const pushReconcileKind = 'push.reconcile'

/** What must be known of a push to record it after a crash. */
export interface PushJournal {
  /** Tells it from all others. */
  key: string
  projectId: number
  userId: number
  updates: readonly { ref: string; before: string | null; after: string | null }[]
  /** What came with it by `git push -o`. */
  options: readonly string[]
  /** Milliseconds since the epoch. */
  startedAt: number
}

/** A journal entry as it stands in the queue. */
export interface PushJournalRow extends PushJournal {
  id: number
}

/** More tries than a passing fault lasts. */
const maxAttempts = 20

/**
 * Notes a push before git may move a ref: a job that becomes due at `dueAt` (milliseconds) unless it
 * is put off or closed before. Answers its id.
 */
export async function openPushJournal(
  tx: Transaction,
  push: PushJournal,
  dueAt: number,
): Promise<number> {
  const row = {
    queue: pushQueue,
    kind: pushReconcileKind,
    payload: jsonText(push),
    maxAttempts,
    runAt: dueAt,
    createdAt: push.startedAt,
  }
  const inserted = await tx.first('pushJournal.open', row, (db, $) =>
    db
      .insertInto('jobs')
      .values({
        queue: $('queue'),
        kind: $('kind'),
        payload: $('payload'),
        maxAttempts: $('maxAttempts'),
        runAt: $('runAt'),
        createdAt: $('createdAt'),
      })
      .returning('jobs.id'),
  )
  return inserted?.id ?? 0
}

/** Sets when pushes that are not being looked into become due. */
export async function schedulePushJournals(
  q: Queries,
  ids: readonly number[],
  dueAt: number,
): Promise<void> {
  await q.run('pushJournal.schedule', { ids, dueAt }, (db, $) =>
    db
      .updateTable('jobs')
      .set({ runAt: $('dueAt') })
      .where(inList('jobs.id', $('ids')))
      .where('jobs.kind', '=', pushReconcileKind)
      .where('jobs.state', '=', 'queued'),
  )
}

/**
 * Removes the entry; false when it is gone, and the push with it is recorded already. In one
 * transaction with the events this makes a push recorded exactly once, whoever comes first.
 */
export async function closePushJournal(tx: Transaction, id: number): Promise<boolean> {
  const { changes } = await tx.run('pushJournal.close', { id }, (db, $) =>
    db.deleteFrom('jobs').where('jobs.id', '=', $('id')).where('jobs.kind', '=', pushReconcileKind),
  )
  return changes > 0
}

/** Every push that is under way or was cut off, oldest first. */
export async function listPushJournals(q: Queries): Promise<PushJournalRow[]> {
  const rows = await q.all('pushJournal.list', {}, (db) =>
    db
      .selectFrom('jobs')
      .select(['jobs.id', 'jobs.payload'])
      .where('jobs.queue', '=', pushQueue)
      .where('jobs.state', 'in', ['queued', 'running'])
      .where('jobs.kind', '=', pushReconcileKind)
      .orderBy('jobs.id'),
  )
  return rows.map((row) => ({ ...fromJsonText<PushJournal>(row.payload), id: row.id }))
}
