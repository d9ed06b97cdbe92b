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
import { matchQuery, searchWords } from '../../planning/items/lists/parts/search-words.ts'
import { visibleCode, visibleMergeRequests } from '../../planning/items/merge-request-visibility.ts'
import { type ListedNoteRow, noteColumns } from '../../planning/notes/note-row.ts'
import { visibleSnippets } from '../../planning/snippets/snippet-visibility.ts'
import { exactLimit } from '../../platform/queries/count-cache.ts'
import { foundPage } from '../../platform/queries/found-page.ts'
import { countUpTo, type Page, type PageRequest } from '../../platform/queries/page.ts'
import { inBackground, type Param, type Queries } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { searchForWords } from './contains-words.ts'
import { type SearchArgs, type SearchRequest, viewer } from './search-request.ts'

type Tables = 'notes' | 'projects'
type Select = SelectQueryBuilder<Schema, Tables, object>
type Predicate = Expression<SqlBool>
const eb = expressionBuilder<Schema, Tables>()

/** A comment with the iid of what it is on; null if that has none. */
export interface FoundNoteRow extends ListedNoteRow {
  noteableIid: number | null
}

/** A search of the comments of a project; a page waits `totalMs` milliseconds for its total. */
export interface NoteSearch extends SearchRequest {
  projectId: number
  totalMs: number
}

/**
 * Lists a page of the comments in a project that the caller may see and that contain each word,
 * newest first. There is no total above 10,000, nor one that takes long to count. Words of one or
 * two letters are in no index: then all comments of the project are read. Two queries.
 */
export function searchNotes(
  q: Queries,
  search: NoteSearch,
  page: PageRequest,
): Promise<Page<FoundNoteRow>> {
  const { shape, args, from, order } = noteQueries(q, search)
  const place = inBackground(q)
  return foundPage({
    page,
    totalMs: search.totalMs,
    read: (rows) =>
      place.all(shape, { ...args, ...rows }, (db, $) =>
        from(db, $)
          .orderBy(order, 'desc')
          .limit($('limit') as number)
          .offset($('offset') as number)
          .select([...noteColumns, noteableIid.as('noteableIid')]),
      ),
    async count() {
      const limited = { ...args, countLimit: exactLimit + 1 }
      const row = await place.first(`${shape}|count`, limited, (db, $) =>
        countUpTo(from(db, $), $('countLimit') as number),
      )
      return row?.total ?? 0
    },
  })
}

function noteQueries(q: Queries, { projectId, search, caller, today }: NoteSearch) {
  const kind = viewerKind(caller)
  const words = searchForWords(q.dialect, search)
  const match = q.dialect === 'sqlite' ? matchInProject(search, projectId) : undefined
  const args: SearchArgs = { ...viewerArgs(caller, today), projectId, ...words.args }
  const visible = ($: Param<SearchArgs>) => visibleNotes(kind, $)
  if (match === undefined) {
    const isIndexed = q.dialect === 'postgres'
    return {
      shape: `notes.search|${kind}|${words.shape}`,
      args,
      from: (db: Kysely<Schema>, $: Param<SearchArgs>) =>
        commentsWithProject(db)
          .where('notes.projectId', '=', $('projectId') as number)
          .$if(isIndexed, (query) => query.where(words.indexedIn('notes.body', $)))
          .where(words.containedIn(['notes.body'], $))
          .where(visible($)),
      order: sql<number>`notes."id"`,
    }
  }
  return {
    shape: `notes.found|${kind}|${words.shape}`,
    args: { ...args, match },
    // The index has the words, but for those of one or two letters.
    from: (db: Kysely<Schema>, $: Param<SearchArgs>) =>
      indexedComments(db, $)
        .where(words.containedIn(['notes.body'], $))
        .where(visible($)),
    order: sql<number>`"noteTexts".rowid`,
  }
}

/** The comments of a project that have the words, from the index; SQLite keeps this order. */
function indexedComments(db: Kysely<Schema>, $: Param<SearchArgs>): Select {
  return db
    .selectFrom('noteTexts' as 'notes')
    .crossJoin('notes as notes')
    .crossJoin('projects')
    .where(sql<SqlBool>`"noteTexts" match ${$('match')}`)
    .where(sql<SqlBool>`notes."id" = "noteTexts".rowid and projects."id" = notes."projectId"`)
    .where('projects.deletedAt', 'is', null) as unknown as Select
}

/**
 * The words as a full-text query over the comments of a project; undefined if none is long enough.
 * The id of the project is one trigram (migrations/0001/text-search.ts).
 */
function matchInProject(search: string, projectId: number): string | undefined {
  const { long } = searchWords(search)
  if (long.length === 0) return undefined
  const digits = [40_960_000, 6400, 1].map((unit) => 57_344 + (Math.floor(projectId / unit) % 6400))
  const scope = matchQuery([String.fromCharCode(...digits)], ['scope'])
  return `${scope} AND ${matchQuery(long, ['body'])}`
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
