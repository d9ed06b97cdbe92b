import type { Queries } from '../queries/queries.ts'
import { fromJsonText, jsonText } from '../queries/sql.ts'

/** A process that runs jobs. */
export interface WorkerRecord {
  /** The owner of its leases. */
  id: string
  hostname: string
  pid: number
  /** `server` or `worker`. */
  tag: string
  queues: readonly string[]
  labels: readonly string[]
  /** Jobs at the same time. */
  concurrency: number
  /** Jobs that run now. */
  busy: number
  /** Timestamp. */
  startedAt: number
}

/** Records that a worker is alive. */
export async function saveWorker(q: Queries, worker: WorkerRecord, now: number): Promise<void> {
  const { queues, labels, ...rest } = worker
  const args = { ...rest, queues: jsonText(queues), labels: jsonText(labels), now }
  await q.run('worker.save', args, (db, $) =>
    db
      .insertInto('workers')
      .values({
        id: $('id'),
        hostname: $('hostname'),
        pid: $('pid'),
        tag: $('tag'),
        queues: $('queues'),
        labels: $('labels'),
        concurrency: $('concurrency'),
        busy: $('busy'),
        startedAt: $('startedAt'),
        seenAt: $('now'),
      })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({
          busy: eb.ref('excluded.busy'),
          seenAt: eb.ref('excluded.seenAt'),
        })),
      ),
  )
}

/** Deletes a worker that has stopped. */
export async function deleteWorker(q: Queries, id: string): Promise<void> {
  await q.run('worker.delete', { id }, (db, $) =>
    db.deleteFrom('workers').where('id', '=', $('id')),
  )
}

/** Deletes the workers that were not heard of since the timestamp. There are only few. */
export async function deleteLostWorkers(q: Queries, since: number): Promise<void> {
  await q.run('worker.delete-lost', { since }, (db, $) =>
    db.deleteFrom('workers').where('seenAt', '<', $('since')),
  )
}

/** The workers that were heard of since the timestamp, the oldest first. One query. */
export async function listWorkers(q: Queries, since: number): Promise<WorkerRecord[]> {
  const rows = await q.all('worker.list', { since }, (db, $) =>
    db
      .selectFrom('workers')
      .where('seenAt', '>=', $('since'))
      .orderBy('startedAt')
      .orderBy('id')
      .select(['id', 'hostname', 'pid', 'tag', 'queues', 'labels'])
      .select(['concurrency', 'busy', 'startedAt']),
  )
  return rows.map(({ queues, labels, ...worker }) => ({
    ...worker,
    queues: fromJsonText<string[]>(queues),
    labels: fromJsonText<string[]>(labels),
  }))
}
