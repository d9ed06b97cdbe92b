import type { Kysely } from 'kysely'
import type { Param, Queries } from '../queries.ts'
import type { Schema } from '../schema/schema.ts'

/** What people take part in. */
export interface TakingPart {
  type: 'issue' | 'merge_request'
  id: number
}

/**
 * Who takes part in an item beside its author, each once: its assignees, who commented, who is named in its
 * texts, and who gave it or its comments award emoji. One query.
 */
export async function listParticipantIds(q: Queries, { type, id }: TakingPart): Promise<number[]> {
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

function assignees(db: Kysely<Schema>, type: TakingPart['type'], $: Param<{ id: number }>) {
  return type === 'issue'
    ? db.selectFrom('issueAssignees').where('issueId', '=', $('id')).select('userId')
    : db.selectFrom('mergeRequestAssignees').where('mergeRequestId', '=', $('id')).select('userId')
}
