import type { CallerFacts, NoteableType, SystemNoteSource } from '@stithy/core'
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import { type ViewerKind, viewerArgs, viewerKind } from '../../directory/members/visibility.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { visibleEpics } from '../epics/epic-visibility.ts'
import { visibleIssues } from '../issues/issue-visibility.ts'
import { visibleCode, visibleMergeRequests } from '../items/merge-request-visibility.ts'
import { visibleSnippets } from '../snippets/snippet-visibility.ts'

type Predicate = Expression<SqlBool>
type Viewer = Param<ViewerArgs>
const eb = expressionBuilder<Schema, 'notes'>()

/**
 * Lists the ids of the system notes on an item that refer to a source which the caller can't see,
 * or which is deleted. `today` is `YYYY-MM-DD`. One query.
 */
export async function listHiddenSystemNotes(
  q: Queries,
  item: { type: NoteableType; id: number },
  { caller, today }: { caller: CallerFacts; today: string },
): Promise<number[]> {
  const kind = viewerKind(caller)
  const args = { ...item, ...viewerArgs(caller, today) }
  const rows = await q.all(`notes.hidden|${kind}`, args, (db, $) =>
    db
      .selectFrom('notes')
      .where('notes.noteableType', '=', $('type'))
      .where('notes.noteableId', '=', $('id'))
      .where('notes.sourceType', 'is not', null)
      .where(eb.not(visibleSource(kind, $)))
      .select('notes.id'),
  )
  return rows.map(({ id }) => id)
}

/** Whether the caller can see what the system note refers to. */
function visibleSource(kind: ViewerKind, $: Viewer): Predicate {
  const of = (type: SystemNoteSource['type'], visible: Predicate) =>
    eb.and([eb('notes.sourceType', '=', type), visible])
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

/** The id of the source; null for commits and branches, whose keys are not numbers. */
const sourceId = sql<number>`case when ${sql.ref('notes.sourceType')} not in ('commit', 'code')
  then cast(${sql.ref('notes.sourceKey')} as bigint) end`

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
    .where('projects.id', '=', sql.ref<number>('notes.sourceProjectId'))
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
