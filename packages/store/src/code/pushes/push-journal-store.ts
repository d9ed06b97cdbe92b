import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { fromJsonText, inList, jsonText } from '../../platform/queries/sql.ts'

/** The queue and kind of the jobs that represent pushes in progress. */
const pushQueue = 'pushes'
export const pushReconcileKind = 'push.reconcile'

/** What is needed to record a push after a crash. */
export interface PushJournal {
  /** Unique per push. */
  key: string
  projectId: number
  userId: number
  updates: readonly { ref: string; before: string | null; after: string | null }[]
  /** The push options (`git push -o`). */
  options: readonly string[]
  /** Whether the refs are those of the project's wiki. */
  isWiki: boolean
  /** Milliseconds since the epoch. */
  startedAt: number
}

/** A journal entry as stored in the queue. */
export interface PushJournalRow extends PushJournal {
  id: number
}

/** More attempts than a transient failure lasts. */
const maxAttempts = 20

/**
 * Records a push before git may move a ref: a job that becomes due at `dueAt` (milliseconds) unless
 * it is rescheduled or closed before. Returns its id.
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

/** Sets when pushes that no worker has claimed become due. */
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
 * Deletes the entry; false if it no longer exists, which means that the push is recorded already.
 * In one transaction with the events, this records a push exactly once, whoever is first.
 */
export async function closePushJournal(tx: Transaction, id: number): Promise<boolean> {
  const { changes } = await tx.run('pushJournal.close', { id }, (db, $) =>
    db.deleteFrom('jobs').where('jobs.id', '=', $('id')).where('jobs.kind', '=', pushReconcileKind),
  )
  return changes > 0
}

/** Lists every push that is in progress or was interrupted, oldest first. */
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
