import type { EventAction, EventTargetType } from '@stithy/core'
import type { SelectQueryBuilder } from 'kysely'
import type { Param } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'

/** The filter of an event list; timestamps in milliseconds. */
export interface EventFilter {
  action?: EventAction | undefined
  targetType?: EventTargetType | undefined
  /** Inclusive. */
  from?: number | undefined
  /** Exclusive. */
  until?: number | undefined
  sort: 'asc' | 'desc'
}

/** The arguments of `applyFilter`. */
export interface FilterArgs {
  action: string
  targetType: string
  from: number
  until: number
}

/** The columns of an event. */
export const eventColumns = [
  'events.id',
  'events.projectId',
  'events.authorId',
  'events.action',
  'events.targetType',
  'events.targetId',
  'events.targetIid',
  'events.targetTitle',
  'events.commitCount',
  'events.pushAction',
  'events.refType',
  'events.commitFrom',
  'events.commitTo',
  'events.ref',
  'events.commitTitle',
  'events.createdAt',
  'events.noteableType',
  'events.noteableId',
] as const

/** Events with their conditions, without columns. */
export type EventSelect = SelectQueryBuilder<Schema, 'events', object>

/** Every argument has a value; those that the filter leaves out are not used in the query. */
export function filterArgs(filter: EventFilter): FilterArgs {
  return {
    action: filter.action ?? '',
    targetType: filter.targetType ?? '',
    from: filter.from ?? 0,
    until: filter.until ?? 0,
  }
}

/** Distinguishes filters in the shape of a query. */
export function filterKey(filter: EventFilter): string {
  const names = ['action', 'targetType', 'from', 'until'] as const
  return names.filter((name) => filter[name] !== undefined).join('+')
}

/** The events that match a filter. */
export function applyFilter(
  query: EventSelect,
  filter: EventFilter,
  $: Param<FilterArgs>,
): EventSelect {
  let narrowed = query
  if (filter.action !== undefined) {
    narrowed = narrowed.where('events.action', '=', $('action') as EventAction)
  }
  if (filter.targetType !== undefined) {
    narrowed = narrowed.where('events.targetType', '=', $('targetType') as EventTargetType)
  }
  if (filter.from !== undefined) narrowed = narrowed.where('events.createdAt', '>=', $('from'))
  if (filter.until !== undefined) narrowed = narrowed.where('events.createdAt', '<', $('until'))
  return narrowed
}
