import type { Kysely } from 'kysely'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'

/** An item with participants. */
export interface Participable {
  type: 'issue' | 'merge_request'
  id: number
}

/**
 * Lists the participants of an item besides its author, each once: its assignees, its commenters,
 * those mentioned in its texts, and those who gave it or its comments award emoji. One query.
 */
export async function listParticipantIds(
  q: Queries,
  { type, id }: Participable,
): Promise<number[]> {
  const rows = await q.all(`participants.${type}`, { id }, (db, $) =>
    assignees(db, type, $)
      .union(
        db
          .selectFrom('notes')
          .where('noteableType', '=', type)
          .where('noteableId', '=', $('id'))
          .where('system', '=', 0)
          .select('authorId as userId'),
      )
      .union(
        db
          .selectFrom('mentions')
          .where('targetType', '=', type)
          .where('targetId', '=', $('id'))
          .select('userId'),
      )
      .union(
        db
          .selectFrom('awards')
          .where('targetType', '=', type)
          .where('targetId', '=', $('id'))
          .select('userId'),
      )
      .union(
        db
          .selectFrom('notes')
          .innerJoin('awards', 'awards.targetId', 'notes.id')
          .where('awards.targetType', '=', 'note')
          .where('notes.noteableType', '=', type)
          .where('notes.noteableId', '=', $('id'))
          .select('awards.userId'),
      ),
  )
  return rows.map((row) => row.userId)
}

function assignees(db: Kysely<Schema>, type: Participable['type'], $: Param<{ id: number }>) {
  return type === 'issue'
    ? db.selectFrom('issueAssignees').where('issueId', '=', $('id')).select('userId')
    : db.selectFrom('mergeRequestAssignees').where('mergeRequestId', '=', $('id')).select('userId')
}
