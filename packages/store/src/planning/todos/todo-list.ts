import type { CallerFacts, TodoAction, TodoState, TodoTargetType } from '@stithy/core'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import { viewerArgs, viewerKind } from '../../directory/members/visibility.ts'
import { listUncached, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import type { Row, Schema } from '../../platform/schema/schema.ts'
import { fromTodos, visibleTodos } from './todo-visibility.ts'

/** The filter of a todo list. */
export interface TodoFilter {
  state: TodoState
  action?: TodoAction | undefined
  authorId?: number | undefined
  projectId?: number | undefined
  /** Includes its subgroups, and the projects in all of them. */
  groupId?: number | undefined
  targetType?: TodoTargetType | undefined
}

/** A todo, with its project or group as todos show it. */
export interface TodoRow extends Row<'todos'> {
  projectName: string | null
  projectPath: string | null
  projectFullPath: string | null
  projectDescription: string | null
  projectCreatedAt: number | null
  /** The storage of the project's repository. */
  repositoryStorage: string | null
  repositoryPath: string | null
  /** Display names from the root, `Top / Below`. */
  namespaceFullName: string | null
  groupName: string | null
  groupPath: string | null
  groupFullPath: string | null
  groupParentId: number | null
  groupAvatar: string | null
}

/** The user of the todos, who must be able to see their targets. */
export interface TodoOwner {
  caller: CallerFacts & { userId: number }
  /** `YYYY-MM-DD` */
  today: string
}

type Args = ViewerArgs & Required<Record<keyof TodoFilter, unknown>>
type Select = SelectQueryBuilder<Schema, 'todos', object>

/** Lists a page of a user's todos whose target the user may read, newest first. At most two queries. */
export async function listTodos(
  q: Queries,
  owner: TodoOwner,
  filter: TodoFilter,
  request: PageRequest,
): Promise<Page<TodoRow>> {
  const kind = viewerKind(owner.caller)
  const shape = `todos.list|${kind}|${filterKey(filter)}`
  const args = { ...filterArgs(filter), ...viewerArgs(owner.caller, owner.today) }
  const from = (db: Kysely<Schema>, $: Param<typeof args>) =>
    applyFilter(fromTodos(db) as unknown as Select, filter, $)
      .where('todos.userId', '=', $('userId'))
      .where(visibleTodos(kind, $))
  // Not cached: a user has few todos, and every todo of any user would raise a stamp.
  return listUncached(q, request, {
    shape,
    args,
    from,
    order: (query) => query.orderBy('todos.id', 'desc'),
    columns: withParents,
    key: 'todos.id',
    countInBackground: true,
  })
}

/** One todo of a user, if the user may read its target. One query. */
export function findTodo(q: Queries, owner: TodoOwner, id: number): Promise<TodoRow | undefined> {
  const kind = viewerKind(owner.caller)
  const args = { ...viewerArgs(owner.caller, owner.today), id }
  return q.first(`todos.find|${kind}`, args, (db, $) =>
    withParents(
      (fromTodos(db) as unknown as Select)
        .where('todos.id', '=', $('id'))
        .where('todos.userId', '=', $('userId'))
        .where(visibleTodos(kind, $)),
    ),
  )
}

/**
 * Marks the pending todos of a user that match the filter as done, whatever state the filter names.
 */
export async function finishTodosByFilter(
  tx: Transaction,
  userId: number,
  filter: TodoFilter,
  at: number,
): Promise<void> {
  const pending = { ...filter, state: 'pending' as const }
  const args = { ...filterArgs(pending), userId, at }
  await tx.run(`todos.finish-all|${filterKey(filter)}`, args, (db, $) =>
    db
      .updateTable('todos')
      .set({ state: 'done', updatedAt: $('at') })
      .where('id', 'in', () =>
        applyFilter(
          db
            .selectFrom('todos')
            .leftJoin('projects', 'projects.id', 'todos.projectId') as unknown as Select,
          pending,
          $,
        )
          .where('todos.userId', '=', $('userId'))
          .select('todos.id'),
      ),
  )
}

/**
 * Deletes todos of a user whose target the user may not read, or whose target is deleted; at most
 * `limit`. Returns how many.
 */
export async function deleteHiddenTodos(
  tx: Transaction,
  owner: TodoOwner,
  limit: number,
): Promise<number> {
  const kind = viewerKind(owner.caller)
  const args = { ...viewerArgs(owner.caller, owner.today), limit }
  const { changes } = await tx.run(`todos.delete-hidden|${kind}`, args, (db, $) =>
    db.deleteFrom('todos').where('id', 'in', () =>
      fromTodos(db)
        .where('todos.userId', '=', $('userId'))
        // Not `not`: if a part of the predicate is null, its negation is null as well.
        .where((eb) =>
          eb(
            eb.fn.coalesce(
              eb.case().when(visibleTodos(kind, $)).then(eb.lit(1)).else(eb.lit(0)).end(),
              eb.lit(0),
            ),
            '=',
            0,
          ),
        )
        .select('todos.id')
        .limit($('limit')),
    ),
  )
  return changes
}

function filterKey(filter: TodoFilter): string {
  const names = ['action', 'authorId', 'projectId', 'groupId', 'targetType'] as const
  return [filter.state, ...names.filter((name) => filter[name] !== undefined)].join('+')
}

/** Every argument has a value; those that the filter leaves out are not used in the query. */
function filterArgs(filter: TodoFilter) {
  return {
    action: filter.action ?? 'marked',
    authorId: filter.authorId ?? 0,
    projectId: filter.projectId ?? 0,
    groupId: filter.groupId ?? 0,
    targetType: filter.targetType ?? 'issue',
  } satisfies Partial<Args>
}

/**
 * Filters todos with their `projects`. The state is one of two words, so it is part of the query
 * text.
 */
function applyFilter(
  query: Select,
  filter: TodoFilter,
  $: Param<ReturnType<typeof filterArgs>>,
): Select {
  let narrowed = query.where('todos.state', '=', filter.state)
  if (filter.action !== undefined) narrowed = narrowed.where('todos.action', '=', $('action'))
  if (filter.authorId !== undefined) narrowed = narrowed.where('todos.authorId', '=', $('authorId'))
  if (filter.projectId !== undefined) {
    narrowed = narrowed.where('todos.projectId', '=', $('projectId'))
  }
  if (filter.targetType !== undefined) {
    narrowed = narrowed.where('todos.targetType', '=', $('targetType'))
  }
  if (filter.groupId === undefined) return narrowed
  return narrowed.where((eb) => {
    const tree = eb
      .selectFrom('namespaceAncestors')
      .where('ancestorId', '=', $('groupId'))
      .select('descendantId')
    const namespaceId = eb.ref('projects.namespaceId' as never)
    return eb.or([eb('todos.groupId', 'in', tree), eb(namespaceId, 'in', tree as never)])
  })
}

function withParents(query: Select) {
  return query
    .leftJoin('namespaces as n', 'n.id', 'projects.namespaceId' as never)
    .selectAll('todos')
    .select([
      'projects.name as projectName',
      'projects.path as projectPath',
      'projects.fullPath as projectFullPath',
      'projects.description as projectDescription',
      'projects.createdAt as projectCreatedAt',
      'projects.repositoryStorage',
      'projects.repositoryPath',
      'n.fullName as namespaceFullName',
      'g.name as groupName',
      'g.path as groupPath',
      'g.fullPath as groupFullPath',
      'g.parentId as groupParentId',
      'g.avatar as groupAvatar',
    ] as never[]) as unknown as SelectQueryBuilder<Schema, 'todos', TodoRow>
}
