import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { jsonText } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'
import type { StoredNotePosition } from './note-row.ts'

/** The position of a thread on a diff, which its notes share. */
export interface ThreadPosition {
  discussionId: string
  /** A `StoredPosition`, in JSON. */
  position: string
  lineCode: string | null
}

/** Whether a merge request has threads on its diff. */
export async function hasThreadPositions(
  q: Queries,
  args: { mergeRequestId: number },
): Promise<boolean> {
  const note = await q.first('notes.hasPositions', args, (db, $) =>
    db
      .selectFrom('notes')
      .where('noteableType', '=', 'merge_request')
      .where('noteableId', '=', $('mergeRequestId'))
      .where('position', 'is not', null)
      .select('id')
      .limit(1),
  )
  return note !== undefined
}

/**
 * Lists the positions of up to `limit` threads of a merge request, by their ids, after the thread
 * `after`.
 */
export async function listThreadPositions(
  q: Queries,
  args: { mergeRequestId: number; after: string; limit: number },
): Promise<ThreadPosition[]> {
  const rows = await q.all('notes.positions', args, (db, $) =>
    db
      .selectFrom('notes')
      .where('noteableType', '=', 'merge_request')
      .where('noteableId', '=', $('mergeRequestId'))
      .where('position', 'is not', null)
      .where('discussionId', '>', $('after'))
      .groupBy('discussionId')
      .orderBy('discussionId')
      .limit($('limit'))
      .select('discussionId')
      // All are equal.
      .select((eb) => [
        eb.fn.min<string | null>('position').as('position'),
        eb.fn.min<string | null>('lineCode').as('lineCode'),
      ]),
  )
  return rows.flatMap(({ position, ...row }) => (position === null ? [] : { ...row, position }))
}

/** Finds the position of a thread; undefined if it has none, or no note any more. */
export function findThreadPosition(
  q: Queries,
  args: { discussionId: string },
): Promise<Pick<Row<'notes'>, 'position' | 'lineCode'> | undefined> {
  return q.first('notes.position', args, (db, $) =>
    db
      .selectFrom('notes')
      .where('discussionId', '=', $('discussionId'))
      .where('position', 'is not', null)
      .select(['position', 'lineCode'])
      .limit(1),
  )
}

/** Changes the position of all notes of a thread; false if it no longer exists. */
export async function updateThreadPosition(
  tx: Transaction,
  { discussionId, position, lineCode }: StoredNotePosition & { discussionId: string },
): Promise<boolean> {
  const args = { discussionId, lineCode, position: jsonText(position) }
  const { changes } = await tx.run('notes.move-position', args, (db, $) =>
    db
      .updateTable('notes')
      .set({ position: $('position'), lineCode: $('lineCode') })
      .where('discussionId', '=', $('discussionId'))
      .where('position', 'is not', null),
  )
  return changes > 0
}
