import { type Expression, expressionBuilder, sql } from 'kysely'
import type { Schema } from '../../../../platform/schema/schema.ts'
import type { WorkItemFilter } from '../work-item-filter.ts'
import { type Condition, columnOf } from '../work-item-table.ts'
import { type Context, number, type Part, userNamed, word } from './conditions.ts'

const eb = expressionBuilder<Schema, never>()

/** A user who must be assigned, by the name of the argument. */
export interface Assignee {
  name: string
  args: Record<string, string | number>
  /** The id, as a value. */
  userId: (context: Pick<Context, '$'>) => Expression<number>
}

/** All users who must be assigned: an argument for the id, and one for each name. */
export function requiredAssignees(filter: WorkItemFilter): Assignee[] {
  const { assignedToId, assigneeId, assigneeUsernames = [] } = filter
  const byId = (name: string, id: number): Assignee => ({
    name,
    args: { [name]: id },
    userId: ({ $ }) => sql`${number($, name)}`,
  })
  const assignees: Assignee[] = []
  if (assignedToId !== undefined) assignees.push(byId('assignedTo', assignedToId))
  if (typeof assigneeId === 'object') assignees.push(byId('assignee', assigneeId.is))
  for (const [index, username] of assigneeUsernames.entries()) {
    const name = `assignee${index}`
    const userId: Assignee['userId'] = ({ $ }) => userNamed($, name)
    assignees.push({ name: `${name}-named`, args: { [name]: username.toLowerCase() }, userId })
  }
  return assignees
}

/** Conditions on the author and the assignees of an item. */
export function peopleParts(filter: WorkItemFilter): Part[] {
  return [...authorParts(filter), ...requiredAssignees(filter).map(assigneePart)]
}

function assigneePart(assignee: Assignee): Part {
  return { name: assignee.name, args: assignee.args, where: (c) => isAssigned(c, assignee) }
}

function isAssigned(context: Context, assignee: Assignee): Condition {
  const { table } = context
  if (!('assignees' in table)) return sql`1 = 0`
  return sql`exists (select 1 from ${sql.table(table.assignees)} as holder
    where holder.${sql.ref(table.assigned)} = ${columnOf(table, 'id')}
    and holder."userId" = ${assignee.userId(context)})`
}

function authorParts({ createdById, authorId, authorUsername }: WorkItemFilter): Part[] {
  const parts: Part[] = []
  const add = (name: string, id: number) =>
    parts.push({
      name,
      args: { [name]: id },
      where: ({ $, column }) => eb(column<number>('authorId'), '=', number($, name)),
    })
  if (createdById !== undefined) add('createdBy', createdById)
  if (authorId !== undefined) add('author', authorId)
  if (authorUsername !== undefined) {
    parts.push({
      name: 'author-named',
      args: { authorName: authorUsername.toLowerCase() },
      where: ({ $, column }) => eb(column<number>('authorId'), '=', userNamed($, 'authorName')),
    })
  }
  return parts
}

/** Awards by the caller, not joined to items yet; `named` false: of any name. */
export function reactionsOf({ $, table }: Pick<Context, '$' | 'table'>, named: boolean) {
  const query = eb
    .selectFrom('awards as given')
    .where('given.userId', '=', number($, 'userId'))
    .where('given.targetType', '=', table.type)
  return named ? query.where('given.name', '=', word($, 'reaction')) : query
}

/** Conditions on the caller's award of an item. */
export function reactionParts({ reaction }: WorkItemFilter): Part[] {
  if (reaction === undefined) return []
  const named = typeof reaction === 'object'
  const where = (context: Context) => {
    const given = reactionsOf(context, named)
      .where('given.targetId', '=', columnOf<number>(context.table, 'id'))
      .select('given.id')
    return reaction === 'none' ? eb.not(eb.exists(given)) : eb.exists(given)
  }
  if (!named) return [{ name: `reaction-${reaction}`, personal: true, where }]
  return [{ name: 'reaction', personal: true, args: { reaction: reaction.is }, where }]
}
