import { type Expression, expressionBuilder, type Kysely, type SqlBool } from 'kysely'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import {
  memberGroups,
  memberProjects,
  type ViewerKind,
} from '../../directory/members/visibility.ts'
import type { Param } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { visibleEpics } from '../epics/epic-visibility.ts'
import { visibleIssues } from '../issues/issue-visibility.ts'
import { visibleCode, visibleMergeRequests } from '../items/merge-request-visibility.ts'

type Tables = Schema & { g: Schema['namespaces'] }
type Predicate = Expression<SqlBool>
const eb = expressionBuilder<Tables, 'todos' | 'projects' | 'issues' | 'mergeRequests' | 'g'>()

/** Todos left-joined with their possible targets and parents. */
export function fromTodos(db: Kysely<Schema>) {
  return db
    .selectFrom('todos')
    .leftJoin('projects', 'projects.id', 'todos.projectId')
    .leftJoin('namespaces as g', 'g.id', 'todos.groupId')
    .leftJoin('issues', (join) =>
      join.on('todos.targetType', '=', 'issue').onRef('issues.id', '=', 'todos.targetId'),
    )
    .leftJoin('mergeRequests', (join) =>
      join
        .on('todos.targetType', '=', 'merge_request')
        .onRef('mergeRequests.id', '=', 'todos.targetId'),
    )
}

const decidesInProject = (kind: ViewerKind, $: Param<ViewerArgs>) =>
  kind === 'admin' ? eb.lit(true) : memberProjects(40, $)

const decidesInGroup = (kind: ViewerKind, $: Param<ViewerArgs>) =>
  kind === 'admin' ? eb.lit(true) : memberGroups(50, $, 'g')

/**
 * Whether the user of a todo may read its target, over `fromTodos`: the SQL equivalent of
 * `read_issue`, `read_merge_request`, `read_code`, `read_epics`, and of the right to see the access
 * requests of a project or group. The viewer is the user whose todos they are.
 */
export function visibleTodos(kind: ViewerKind, $: Param<ViewerArgs>): Predicate {
  const projectExists = eb.and([
    eb('projects.id', 'is not', null),
    eb('projects.deletedAt', 'is', null),
  ])
  return eb.or([
    eb.and([eb('issues.id', 'is not', null), visibleIssues(kind, $)]),
    eb.and([eb('mergeRequests.id', 'is not', null), projectExists, visibleMergeRequests(kind, $)]),
    eb.and([eb('todos.commitId', 'is not', null), projectExists, visibleCode(kind, $)]),
    eb.and([eb('todos.targetType', '=', 'epic'), visibleEpics(kind, $, 'g')]),
    eb.and([eb('todos.targetType', '=', 'project'), projectExists, decidesInProject(kind, $)]),
    eb.and([
      eb('todos.targetType', '=', 'group'),
      eb('g.deletedAt', 'is', null),
      decidesInGroup(kind, $),
    ]),
  ])
}
