import type { CallerFacts } from '@stithy/core'
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import { visibleIssues } from '../issues/issue-visibility.ts'
import type { ViewerArgs } from '../memberships.ts'
import { visibleCode, visibleMergeRequests } from '../merge-requests/merge-request-visibility.ts'
import type { Param, Queries } from '../queries.ts'
import type { Row, Schema } from '../schema/schema.ts'
import { visibleSnippets } from '../snippets/snippet-visibility.ts'
import { memberGroups, type ViewerKind, viewerArgs, viewerKind } from '../visibility.ts'

type Predicate = Expression<SqlBool>
type Viewer = Param<ViewerArgs>
type Source = Row<'crossReferences'>['sourceType']
const eb = expressionBuilder<Schema, 'crossReferences'>()

/**
 * The remarks on an item that tell where it was mentioned, in something that the caller cannot see: their
 * ids. `today` is a date, `YYYY-MM-DD`. One query.
 */
export async function listHiddenRemarks(
  q: Queries,
  target: Pick<Row<'crossReferences'>, 'targetType' | 'targetId'>,
  { caller, today }: { caller: CallerFacts; today: string },
): Promise<number[]> {
  const kind = viewerKind(caller)
  const args = { ...target, ...viewerArgs(caller, today) }
  const rows = await q.all(`notes.hidden|${kind}`, args, (db, $) =>
    db
      .selectFrom('crossReferences')
      .where('crossReferences.targetType', '=', $('targetType'))
      .where('crossReferences.targetId', '=', $('targetId'))
      .where('crossReferences.noteId', 'is not', null)
      .where(eb.not(visibleSource(kind, $)))
      .select('crossReferences.noteId'),
  )
  return rows.flatMap(({ noteId }) => noteId ?? [])
}

/** Whether the caller can see what names the item. */
function visibleSource(kind: ViewerKind, $: Viewer): Predicate {
  const of = (type: Source, seen: Predicate) =>
    eb.and([eb('crossReferences.sourceType', '=', type), seen])
  return eb.or([
    of('issue', eb.exists(issues().where(visibleIssues(kind, $)))),
    of('merge_request', eb.exists(mergeRequests().where(visibleMergeRequests(kind, $)))),
    of('commit', eb.exists(sourceProject().where(visibleCode(kind, $)))),
    of('snippet', eb.exists(snippets().where(visibleSnippets(kind, $)))),
    of('epic', eb.exists(epics().where(visibleEpics(kind, $)))),
  ])
}

/** The id of what names the item; null for a commit, whose key is no number. */
const sourceId = sql<number>`case when ${sql.ref('crossReferences.sourceType')} <> 'commit'
  then cast(${sql.ref('crossReferences.sourceKey')} as bigint) end`

function issues() {
  return eb
    .selectFrom('issues')
    .innerJoin('projects', 'projects.id', 'issues.projectId')
    .where('issues.id', '=', sourceId)
    .select('issues.id')
}

function mergeRequests() {
  return eb
    .selectFrom('mergeRequests')
    .innerJoin('projects', 'projects.id', 'mergeRequests.projectId')
    .where('mergeRequests.id', '=', sourceId)
    .where('projects.deletedAt', 'is', null)
    .select('mergeRequests.id')
}

function sourceProject() {
  return eb
    .selectFrom('projects')
    .where('projects.id', '=', sql.ref<number>('crossReferences.sourceProjectId'))
    .where('projects.deletedAt', 'is', null)
    .select('projects.id')
}

function snippets() {
  return eb
    .selectFrom('snippets')
    .leftJoin('projects', 'projects.id', 'snippets.projectId')
    .where('snippets.id', '=', sourceId)
    .select('snippets.id')
}

function epics() {
  return eb
    .selectFrom('epics')
    .innerJoin('namespaces', 'namespaces.id', 'epics.groupId')
    .where('epics.id', '=', sourceId)
    .where('namespaces.deletedAt', 'is', null)
    .select('epics.id')
}

/** The SQL twin of `read_epics`, over `namespaces`. */
function visibleEpics(kind: ViewerKind, $: Viewer): Predicate {
  if (kind === 'admin') return sql<SqlBool>`1 = 1`
  if (kind === 'anonymous') return sql<SqlBool>`1 = 0`
  const member = memberGroups(10, $)
  if (kind === 'external') return member
  return eb.or([member, eb(sql.ref('namespaces.visibility'), 'in', ['public', 'internal'])])
}
