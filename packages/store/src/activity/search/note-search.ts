import {
  type Expression,
  expressionBuilder,
  type Kysely,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import { type ViewerKind, viewerArgs, viewerKind } from '../../directory/members/visibility.ts'
import { visibleIssues } from '../../planning/issues/issue-visibility.ts'
import { visibleCode, visibleMergeRequests } from '../../planning/items/merge-request-visibility.ts'
import { type NoteRow, noteColumns } from '../../planning/notes/note-row.ts'
import { visibleSnippets } from '../../planning/snippets/snippet-visibility.ts'
import type { Page, PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { searchForWords } from './contains-words.ts'
import { type SearchArgs, type SearchRequest, searchPage, viewer } from './search-request.ts'

type Tables = 'notes' | 'projects'
type Select = SelectQueryBuilder<Schema, Tables, object>
type Predicate = Expression<SqlBool>
const eb = expressionBuilder<Schema, Tables>()

/** A comment with the iid of what it is on; null if that has none. */
export interface FoundNoteRow extends NoteRow {
  noteableIid: number | null
}

/**
 * Lists a page of the comments in a project that the caller may see and that contain each word,
 * newest first. Reads all comments of the project, whatever else the database holds. Two queries.
 */
export function searchNotes(
  q: Queries,
  { projectId, search, caller, today }: SearchRequest & { projectId: number },
  request: PageRequest,
): Promise<Page<FoundNoteRow>> {
  const kind = viewerKind(caller)
  const words = searchForWords(q.dialect, search)
  return searchPage(q, request, {
    shape: `notes.search|${kind}|${words.shape}`,
    args: { ...viewerArgs(caller, today), projectId, ...words.args },
    from: (db: Kysely<Schema>, $: Param<SearchArgs>) =>
      commentsWithProject(db)
        .where('notes.projectId', '=', $('projectId') as number)
        .where(words.containedIn(['notes.body'], $))
        .where(visibleNotes(kind, $)),
    order: (query: Select) => query.orderBy('notes.id', 'desc'),
    columns: (query: Select) => query.select([...noteColumns, noteableIid.as('noteableIid')]),
    key: 'notes.id',
  })
}

function commentsWithProject(db: Kysely<Schema>): Select {
  return db
    .selectFrom('notes')
    .innerJoin('projects', 'projects.id', 'notes.projectId')
    .where('projects.deletedAt', 'is', null)
    .where('notes.system', '=', 0) as unknown as Select
}

const noteableIid = sql<number | null>`case notes."noteableType"
  when 'issue' then (select "iid" from "issues" where "issues"."id" = notes."noteableId")
  when 'merge_request' then
    (select "iid" from "mergeRequests" where "mergeRequests"."id" = notes."noteableId")
end`

/** Comments on what the caller may read, over `notes` joined with their `projects`. */
function visibleNotes(kind: ViewerKind, $: Param<SearchArgs>): Predicate {
  const on = (type: 'commit' | 'issue' | 'merge_request' | 'snippet', visible: Predicate) =>
    eb.and([eb('notes.noteableType', '=', type), visible])
  return eb.or([
    on('commit', visibleCode(kind, viewer($))),
    on('issue', eb.exists(issueOf(kind, $))),
    on('merge_request', eb.exists(mergeRequestOf(kind, $))),
    on('snippet', eb.exists(snippetOf(kind, $))),
  ])
}

function issueOf(kind: ViewerKind, $: Param<SearchArgs>) {
  return eb
    .selectFrom('issues')
    .whereRef('issues.id', '=', 'notes.noteableId')
    .where(visibleIssues(kind, viewer($)))
    .select('issues.id')
}

function mergeRequestOf(kind: ViewerKind, $: Param<SearchArgs>) {
  return eb
    .selectFrom('mergeRequests')
    .whereRef('mergeRequests.id', '=', 'notes.noteableId')
    .where(visibleMergeRequests(kind, viewer($)))
    .select('mergeRequests.id')
}

function snippetOf(kind: ViewerKind, $: Param<SearchArgs>) {
  return eb
    .selectFrom('snippets')
    .whereRef('snippets.id', '=', 'notes.noteableId')
    .where(visibleSnippets(kind, viewer($)))
    .select('snippets.id')
}
