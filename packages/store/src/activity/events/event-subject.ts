import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Schema } from '../../platform/schema/schema.ts'

// Predicates on the subject of an event, over `events`. Each is true or not true, never the
// negation of a null.

type Predicate = Expression<SqlBool>
const eb = expressionBuilder<Schema, 'events'>()

/**
 * Items with their own access rules that events are about, directly or through comments on them.
 */
export type EventItemType = 'issue' | 'merge_request' | 'snippet'

/** About the project itself or its members. */
export function isAboutProject(): Predicate {
  return eb.and([
    eb('events.action', '<>', 'pushed'),
    eb.or([eb('events.targetType', 'is', null), eb('events.targetType', '=', 'project')]),
  ])
}

/** About pushes or comments on commits. */
export function isAboutCode(): Predicate {
  return eb.or([eb('events.action', '=', 'pushed'), eb('events.noteableType', '=', 'commit')])
}

export function isAboutMilestone(): Predicate {
  return eb('events.targetType', '=', 'milestone')
}

export function isAboutItem(type: EventItemType): Predicate {
  return eb.or([eb('events.targetType', '=', type), eb('events.noteableType', '=', type)])
}

/** The id of the item that an event is about; for a comment, the item commented on. */
export function eventItemId(): Expression<number> {
  return sql<number>`coalesce(${sql.ref('events.noteableId')}, ${sql.ref('events.targetId')})`
}
