import type { CallerFacts } from '@stithy/core'
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import { visibleEpics } from '../epics/epic-visibility.ts'
import { visibleIssues } from '../issues/issue-visibility.ts'
import type { ViewerArgs } from '../memberships.ts'
import { visibleCode, visibleMergeRequests } from '../merge-requests/merge-request-visibility.ts'
import type { Param, Queries } from '../queries.ts'
import type { Row, Schema } from '../schema/schema.ts'
import { visibleSnippets } from '../snippets/snippet-visibility.ts'
import { type ViewerKind, viewerArgs, viewerKind } from '../visibility.ts'

type Predicate = Expression<SqlBool>
type Viewer = Param<ViewerArgs>
type Source = Row<'remarkSources'>['sourceType']
const eb = expressionBuilder<Schema, 'remarkSources'>()

/**
 * The remarks on an item that tell of something which the caller cannot see, or which is gone: their ids.
 * `today` is a date, `YYYY-MM-DD`. One query.
 */
export async function listHiddenRemarks(
  q: Queries,
  target: Pick<Row<'remarkSources'>, 'targetType' | 'targetId'>,
  { caller, today }: { caller: CallerFacts; today: string },
): Promise<number[]> {
  const kind = viewerKind(caller)
  const args = { ...target, ...viewerArgs(caller, today) }
  const rows = await q.all(`notes.hidden|${kind}`, args, (db, $) =>
    db
      .selectFrom('remarkSources')
      .where('remarkSources.targetType', '=', $('targetType'))
      .where('remarkSources.targetId', '=', $('targetId'))
      .where(eb.not(visibleSource(kind, $)))
      .select('remarkSources.noteId'),
  )
  return rows.map(({ noteId }) => noteId)
}

/** Whether the caller can see what the remark tells of. */
function visibleSource(kind: ViewerKind, $: Viewer): Predicate {
  const of = (type: Source, seen: Predicate) =>
    eb.and([eb('remarkSources.sourceType', '=', type), seen])
  const seesCode = eb.exists(sourceProject().where(visibleCode(kind, $)))
  return eb.or([
    of('issue', eb.exists(issues().where(visibleIssues(kind, $)))),
    of('merge_request', eb.exists(mergeRequests().where(visibleMergeRequests(kind, $)))),
    of('commit', seesCode),
    of('code', seesCode),
    of('snippet', eb.exists(snippets().where(visibleSnippets(kind, $)))),
    of('epic', eb.exists(epics().where(visibleEpics(kind, $)))),
  ])
}

/** The id of what is told of; null for commits and branches, whose keys are no numbers. */
const sourceId = sql<number>`case when ${sql.ref('remarkSources.sourceType')} not in ('commit', 'code')
  then cast(${sql.ref('remarkSources.sourceKey')} as bigint) end`

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
    .where('projects.id', '=', sql.ref<number>('remarkSources.sourceProjectId'))
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
    .select('epics.id')
}
