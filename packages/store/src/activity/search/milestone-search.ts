import {
  type Expression,
  expressionBuilder,
  type Kysely,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import {
  type ViewerKind,
  viewerArgs,
  viewerKind,
  visibleGroups,
  visibleProjects,
} from '../../directory/members/visibility.ts'
import { type MilestoneRow, milestoneColumns } from '../../planning/milestones/milestone-row.ts'
import { readableMilestoneProjects } from '../../planning/milestones/milestone-visibility.ts'
import { type ListedDescription, listedColumns } from '../../platform/queries/listed-text.ts'
import type { Page, PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { searchForWords } from './contains-words.ts'
import { type SearchArgs, type SearchRequest, searchPage, viewer } from './search-request.ts'

type Tables = 'milestones' | 'projects' | 'namespaces'
type Select = SelectQueryBuilder<Schema, Tables, object>
type Predicate = Expression<SqlBool>
const eb = expressionBuilder<Schema, Tables>()

/** Everywhere, in a project alone, or in a group, its subgroups and the projects of all these. */
export type MilestoneSearchScope =
  | { kind: 'anywhere' }
  | { kind: 'project'; projectId: number }
  | { kind: 'group'; groupId: number }

/**
 * Lists a page of the milestones that the caller may see and that contain each word in their title
 * or description, newest first. Two queries.
 */
export function searchMilestones(
  q: Queries,
  { scope, search, caller, today }: SearchRequest & { scope: MilestoneSearchScope },
  request: PageRequest,
): Promise<Page<MilestoneRow & ListedDescription>> {
  const kind = viewerKind(caller)
  const words = searchForWords(q.dialect, search)
  const args = { ...viewerArgs(caller, today), ...scopeArgs(scope), ...words.args }
  const from = (db: Kysely<Schema>, $: Param<SearchArgs>) =>
    withOwners(db)
      .where(words.containedIn(['milestones.title', 'milestones.description'], $))
      .where(visibleMilestones(kind, $))
      .$if(scope.kind !== 'anywhere', (query) => query.where(inScope(scope, $)))
  return searchPage(q, request, {
    shape: `milestones.search|${scope.kind}|${kind}|${words.shape}`,
    args,
    from,
    order: (query: Select) => query.orderBy('milestones.id', 'desc'),
    columns: (query: Select) =>
      query.select([
        ...listedColumns('milestones', milestoneColumns),
        ownerFullPath.as('ownerFullPath'),
      ]),
    key: 'milestones.id',
  })
}

function withOwners(db: Kysely<Schema>): Select {
  return db
    .selectFrom('milestones')
    .leftJoin('projects', 'projects.id', 'milestones.projectId')
    .leftJoin('namespaces', 'namespaces.id', 'milestones.groupId') as unknown as Select
}

const ownerFullPath = sql<string>`coalesce(${sql.ref('projects.fullPath')}, ${sql.ref('namespaces.fullPath')})`

/** The SQL equivalents of `read_milestones` and `read_group_milestones`. */
function visibleMilestones(kind: ViewerKind, $: Param<SearchArgs>): Predicate {
  const ofProject = eb.and([
    visibleProjects(kind, viewer($)),
    readableMilestoneProjects(kind, viewer($)),
  ])
  return eb.or([ofProject, visibleGroups(kind, viewer($), 'namespaces', 'seek')])
}

function scopeArgs(scope: MilestoneSearchScope): SearchArgs {
  if (scope.kind === 'anywhere') return {}
  return scope.kind === 'project' ? { projectId: scope.projectId } : { groupId: scope.groupId }
}

function inScope({ kind }: MilestoneSearchScope, $: Param<SearchArgs>): Predicate {
  if (kind === 'project') return eb('milestones.projectId', '=', $('projectId') as number)
  const groups = eb
    .selectFrom('namespaceAncestors as inside')
    .where('inside.ancestorId', '=', $('groupId') as number)
    .select('inside.descendantId')
  const projects = eb
    .selectFrom('projects as held')
    .where('held.namespaceId', 'in', groups)
    .select('held.id')
  return eb.or([eb('milestones.groupId', 'in', groups), eb('milestones.projectId', 'in', projects)])
}
