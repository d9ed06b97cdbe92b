import type { EventAction, EventSubjectType, NoteableType, PushData } from '@stithy/core'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { stampOf, touchStamp } from '../../platform/queries/stamps.ts'
import { refreshProjectActivity } from './project-activity.ts'

/** An activity event to record. */
export interface NewEvent {
  /** Null for events outside projects. */
  projectId: number | null
  authorId: number
  action: EventAction
  /** The target; left out for pushes and for events about the project itself. */
  target?: { type: EventSubjectType; id: number; iid?: number; title?: string }
  /** For notes: the noteable; `id` is null for commits. */
  noteable?: { type: NoteableType; id: number | null }
  /** For the action `pushed`; one event per ref. */
  push?: PushData
  /** Milliseconds since the epoch. */
  createdAt: number
}

/**
 * Records activity events in the transaction of the change, and updates the last activity of their
 * projects. Call it at the end of the transaction, since it raises the stamp of events.
 */
export async function recordEvents(tx: Transaction, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  for (const event of events) await insertEvent(tx, event)
  for (const [projectId, now] of newestByProject(events)) {
    await refreshProjectActivity(tx, { projectId, now })
  }
  for (const { projectId } of events) touchStamp(tx, stampOf('events', projectId))
}

/** `recordEvents` for a single event. */
export async function recordEvent(tx: Transaction, event: NewEvent): Promise<void> {
  await recordEvents(tx, [event])
}

/**
 * The newest event timestamp of each project, sorted by project so that transactions can't
 * deadlock.
 */
function newestByProject(events: readonly NewEvent[]): [number, number][] {
  const newest = new Map<number, number>()
  for (const { projectId, createdAt } of events) {
    if (projectId === null) continue
    newest.set(projectId, Math.max(createdAt, newest.get(projectId) ?? 0))
  }
  return [...newest].toSorted(([one], [other]) => one - other)
}

async function insertEvent(tx: Transaction, event: NewEvent): Promise<void> {
  const { target, push, noteable } = event
  const row = {
    projectId: event.projectId,
    authorId: event.authorId,
    action: event.action,
    targetType: target?.type ?? null,
    targetId: target?.id ?? null,
    targetIid: target?.iid ?? null,
    targetTitle: target?.title ?? null,
    commitCount: push?.commit_count ?? null,
    pushAction: push?.action ?? null,
    refType: push?.ref_type ?? null,
    commitFrom: push?.commit_from ?? null,
    commitTo: push?.commit_to ?? null,
    ref: push?.ref ?? null,
    commitTitle: push?.commit_title ?? null,
    createdAt: event.createdAt,
    noteableType: noteable?.type ?? null,
    noteableId: noteable?.id ?? null,
  }
  await tx.run('events.insert', row, (db, $) =>
    db.insertInto('events').values({
      projectId: $('projectId'),
      authorId: $('authorId'),
      action: $('action'),
      targetType: $('targetType'),
      targetId: $('targetId'),
      targetIid: $('targetIid'),
      targetTitle: $('targetTitle'),
      commitCount: $('commitCount'),
      pushAction: $('pushAction'),
      refType: $('refType'),
      commitFrom: $('commitFrom'),
      commitTo: $('commitTo'),
      ref: $('ref'),
      commitTitle: $('commitTitle'),
      createdAt: $('createdAt'),
      noteableType: $('noteableType'),
      noteableId: $('noteableId'),
    }),
  )
}

/** Clears the target of the events about a deleted record; the events themselves stay. */
export async function clearEventTarget(
  tx: Transaction,
  target: { projectId: number; type: EventSubjectType; id: number },
): Promise<void> {
  await tx.run('events.forget', target, (db, $) =>
    db
      .updateTable('events')
      .set({ targetId: null })
      .where('projectId', '=', $('projectId'))
      .where('targetType', '=', $('type'))
      .where('targetId', '=', $('id')),
  )
}

/**
 * Removes the oldest events that are older than `cutoff` (milliseconds), at most `limit`; returns
 * how many. Ids follow time, so this reads only the front of the table.
 */
export async function removeOldEvents(
  tx: Transaction,
  { cutoff, limit }: { cutoff: number; limit: number },
): Promise<number> {
  const oldest = await tx.all('events.oldest', { limit }, (db, $) =>
    db.selectFrom('events').select(['id', 'createdAt']).orderBy('id').limit($('limit')),
  )
  const ids = oldest.filter((event) => event.createdAt < cutoff).map((event) => event.id)
  if (ids.length === 0) return 0
  await tx.run('events.remove', { ids }, (db, $) =>
    db.deleteFrom('events').where(inList('events.id', $('ids'))),
  )
  touchStamp(tx, 'events')
  return ids.length
}

/** The recorded move of a ref; null for an absent commit. */
export interface RecordedMove {
  from: string | null
  to: string | null
}

/** Lists the recorded moves of a ref since a timestamp (milliseconds), oldest first. */
export function listRecordedMoves(
  q: Queries,
  ref: { projectId: number; refType: 'branch' | 'tag'; ref: string; since: number },
): Promise<RecordedMove[]> {
  return q.all('events.moves', ref, (db, $) =>
    db
      .selectFrom('events')
      .select(['events.commitFrom as from', 'events.commitTo as to'])
      .where('events.projectId', '=', $('projectId'))
      .where('events.action', '=', 'pushed')
      .where('events.createdAt', '>=', $('since'))
      .where('events.refType', '=', $('refType'))
      .where('events.ref', '=', $('ref'))
      .orderBy('events.createdAt')
      .orderBy('events.id'),
  )
}

/**
 * Lists the recorded moves of all branches of a project since a timestamp (milliseconds), oldest
 * first.
 */
export async function listBranchMoves(
  q: Queries,
  filter: { projectId: number; since: number },
): Promise<{ ref: string; from: string | null }[]> {
  const rows = await q.all('events.branch-moves', filter, (db, $) =>
    db
      .selectFrom('events')
      .select(['events.ref', 'events.commitFrom as from'])
      .where('events.projectId', '=', $('projectId'))
      .where('events.action', '=', 'pushed')
      .where('events.createdAt', '>=', $('since'))
      .where('events.refType', '=', 'branch')
      .orderBy('events.createdAt')
      .orderBy('events.id'),
  )
  return rows.flatMap(({ ref, from }) => (ref === null ? [] : { ref, from }))
}
