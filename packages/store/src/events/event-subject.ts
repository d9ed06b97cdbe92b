import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'

// What events are about, over `events`. Each is true or not true, never the opposite of a null.

type Predicate = Expression<SqlBool>
const eb = expressionBuilder<Schema, 'events'>()

/** Things with rights of their own that events are about: themselves, or comments on them. */
export type EventItemType = 'issue' | 'merge_request' | 'snippet'

/** About the project itself and who belongs to it. */
export function isAboutProject(): Predicate {
  return eb.and([
    eb('events.action', '<>', 'pushed'),
    eb.or([eb('events.targetType', 'is', null), eb('events.targetType', '=', 'project')]),
  ])
}

/** Pushes, and comments on commits. */
export function isAboutCode(): Predicate {
  return eb.or([eb('events.action', '=', 'pushed'), eb('events.noteableType', '=', 'commit')])
}

export function isAboutMilestone(): Predicate {
  return eb('events.targetType', '=', 'milestone')
}

export function isAboutItem(type: EventItemType): Predicate {
  return eb.or([eb('events.targetType', '=', type), eb('events.noteableType', '=', type)])
}

/** The id of the item that an event is about: of comments, what they are on. */
export function eventItemId(): Expression<number> {
  return sql<number>`coalesce(${sql.ref('events.noteableId')}, ${sql.ref('events.targetId')})`
}
