import type { CallerFacts } from '@stithy/core'
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import { type ViewerKind, viewerArgs, viewerKind } from '../../directory/members/visibility.ts'
import { readableFeature } from '../../directory/projects/feature-visibility.ts'
import { visibleCode } from '../../planning/items/merge-request-visibility.ts'
import type { Database, DialectName, Param, Queries } from '../../platform/queries/queries.ts'
import { containing } from '../../platform/queries/sql.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { searchBlockSize } from './entry-store.ts'
import { type HitArgs, hitArgs, segmentHits } from './segment-hits.ts'
import { type TextKind, textTables } from './text-store.ts'

/** Where code is searched: everywhere, in a group with its subgroups, or in a project. */
export type CodeSearchScope =
  | { kind: 'anywhere' }
  | { kind: 'group'; groupId: number }
  | { kind: 'project'; projectId: number }

/**
 * What is searched: paths or contents of files in repositories or wikis, or the messages or ids of
 * commits.
 */
export type CodeSearchSubject =
  | 'code_paths'
  | 'code_texts'
  | 'commit_ids'
  | 'commits'
  | 'wiki_paths'
  | 'wiki_texts'

/** A page of candidates, by descending id. */
export interface CandidateRequest {
  scope: CodeSearchScope
  subject: CodeSearchSubject
  caller: CallerFacts
  /** Today, `YYYY-MM-DD`. */
  today: string
  /**
   * In lower case. Ids start with it, and others contain it; of less than three characters, it
   * finds nearly everything.
   */
  text: string
  /** Candidates below this id; undefined for the first ones. */
  before: number | undefined
  limit: number
}

/**
 * A file or commit that may contain a text: on SQLite it has all of its trigrams, and most that
 * don't have longer parts of it are left out. Its caller may read it.
 */
export interface CandidateRow {
  id: number
  oid: string
  /** Null for a commit. */
  path: string | null
  projectId: number
  repositoryStorage: string
  repositoryPath: string
  defaultBranch: string | null
}

interface Kind {
  source: 'code' | 'wiki'
  holds: 'commits' | 'files'
  entries: 'searchCommits' | 'searchFiles'
  /** What the text is in; undefined for the id of the entry itself. */
  texts: TextKind | undefined
}

const commits = { holds: 'commits', entries: 'searchCommits' } as const
const files = { holds: 'files', entries: 'searchFiles' } as const
const kinds: Readonly<Record<CodeSearchSubject, Kind>> = {
  code_paths: { source: 'code', ...files, texts: 'paths' },
  code_texts: { source: 'code', ...files, texts: 'texts' },
  wiki_paths: { source: 'wiki', ...files, texts: 'paths' },
  wiki_texts: { source: 'wiki', ...files, texts: 'texts' },
  commit_ids: { source: 'code', ...commits, texts: undefined },
  commits: { source: 'code', ...commits, texts: 'messages' },
}

interface Args extends ViewerArgs, HitArgs {
  scopeId: number
  match: string
}

const eb = expressionBuilder<Schema, 'projects'>()
const blockSize = sql.lit(searchBlockSize)

/** Lists candidates of a search among what the caller may read. One query, two in a project. */
export async function listCandidates(
  { searchIndex: { reads } }: Database,
  { scope, subject, caller, today, text, before, limit }: CandidateRequest,
): Promise<CandidateRow[]> {
  const viewer = viewerKind(caller)
  const kind = kinds[subject]
  const range = await idRange(reads, scope, kind)
  const by = matchKind(reads.dialect, kind, text)
  const page = { first: range.first, before: Math.min(before ?? range.end, range.end), limit }
  const args: Args = {
    ...viewerArgs(caller, today),
    ...hitArgs(kind.texts, text, page),
    scopeId: scopeIdOf(scope),
    match: by === 'id' ? text : containing(text),
  }
  const shape = `search.candidates|${subject}|${scope.kind}|${viewer}|${by}`
  return reads.all(shape, args, (_, $) => {
    const { entries } = kind
    const hits = hitsOf(kind, by, reads.dialect, $)
    const entry = sql.table(entries)
    const path = entries === 'searchFiles' ? sql`"searchFiles"."path"` : sql`null`
    const { id } = hits
    return sql<CandidateRow>`
      with "places" as materialized (${readablePlaces(subject, scope, viewer, $)})
      select ${entry}."id", ${entry}."oid", ${path} as "path", "places"."projectId",
        "places"."repositoryStorage", "places"."repositoryPath", "places"."defaultBranch"
      from ${hits.from}
      where ${hits.where} and "places"."block" = ${id} / ${blockSize}
        and ${id} >= ${$('first')} and ${id} < ${$('before')}
      order by ${id} desc limit ${$('limit')}`
  })
}

/** How entries are found: by a text, by the start of their id, or all of them. */
type MatchKind = 'all' | 'id' | 'text'

/** PostgreSQL has no index for less than three characters. */
function matchKind(dialect: DialectName, { texts }: Kind, text: string): MatchKind {
  if (texts === undefined) return 'id'
  return text.length < (dialect === 'sqlite' ? 1 : 3) ? 'all' : 'text'
}

/**
 * The tables that hits of a text come from, or all entries without one. SQLite joins in the order of
 * `cross join`: a hit has one block, and a block many hits; what the caller may read is decided
 * before anything else of a hit is read.
 */
function hitsOf(
  { entries, texts }: Kind,
  by: MatchKind,
  dialect: DialectName,
  $: Param<Args>,
): { from: Expression<unknown>; id: Expression<unknown>; where: Expression<unknown> } {
  const entry = sql.table(entries)
  const entryId = sql`${entry}."id"`
  if (by !== 'text' || texts === undefined) {
    // The plus sign hides the order from SQLite's choice of an index: few have such an id.
    const id = by === 'id' ? sql`(+${entryId})` : entryId
    const where = by === 'id' ? startsWith(sql`${entry}."oid"`, $) : sql`true`
    return { from: sql`${entry} cross join "places"`, id, where }
  }
  if (dialect === 'sqlite') {
    const id = sql`"hits"."value"`
    const from = sql`${segmentHits(texts, $)} as "hits" cross join "places" cross join ${entry}`
    return { from, id, where: sql`${entryId} = ${id}` }
  }
  const hit = sql.table(textTables[texts])
  const id = sql`${hit}."rowid"`
  return {
    from: sql`${hit} cross join "places" cross join ${entry}`,
    id,
    where: sql`${hit}."text" like ${$('match')} and ${entryId} = ${id}`,
  }
}

/** Whether an id, of lower-case hexadecimal digits, starts with the text. */
function startsWith(oid: Expression<unknown>, $: Param<Args>): Expression<unknown> {
  return sql`${oid} >= ${$('match')} and ${oid} < (${$('match')} || 'g')`
}

/** The blocks of ids whose entries the caller may read, with the repositories they belong to. */
function readablePlaces(
  subject: CodeSearchSubject,
  scope: CodeSearchScope,
  viewer: ViewerKind,
  $: Param<Args>,
): Expression<unknown> {
  const { source, holds } = kinds[subject]
  const readable = source === 'code' ? visibleCode(viewer, $) : visibleWikis(viewer, $)
  return sql`
    select "searchBlocks"."id" as "block", "projects"."id" as "projectId",
      "projects"."repositoryStorage", "projects"."repositoryPath", "projects"."defaultBranch"
    from "searchSources"
    join "searchBlocks" on "searchBlocks"."sourceId" = "searchSources"."id"
      and "searchBlocks"."holds" = ${sql.lit(holds)}
    join "projects" on "projects"."id" = "searchSources"."projectId"
    where "searchSources"."kind" = ${sql.lit(source)} and "projects"."deletedAt" is null
      and ${inScope(scope, $)} and ${readable}`
}

/** The SQL equivalent of `read_wiki`, over `projects` that are not deleted. */
export function visibleWikis(viewer: ViewerKind, $: Param<ViewerArgs>): Expression<SqlBool> {
  return readableFeature(viewer, $, { switches: ['wikiAccessLevel'], level: 10 })
}

/** Whether `projects` are where a search looks. */
export function inScope(
  scope: CodeSearchScope,
  $: Param<{ scopeId: number }>,
): Expression<SqlBool> {
  if (scope.kind === 'anywhere') return sql`true`
  if (scope.kind === 'project') return eb('projects.id', '=', $('scopeId'))
  const around = expressionBuilder<Schema, never>()
    .selectFrom('namespaceAncestors as around')
    .where('around.ancestorId', '=', $('scopeId'))
    .select('around.descendantId')
  return eb('projects.namespaceId', 'in', around)
}

/** The argument of `inScope`. */
export function scopeIdOf(scope: CodeSearchScope): number {
  if (scope.kind === 'anywhere') return 0
  return scope.kind === 'group' ? scope.groupId : scope.projectId
}

/** The ids that the entries of a project lie between; elsewhere, all. */
async function idRange(
  q: Queries,
  scope: CodeSearchScope,
  { source, holds }: Kind,
): Promise<{ first: number; end: number }> {
  if (scope.kind !== 'project') return { first: 0, end: Number.MAX_SAFE_INTEGER }
  const args = { projectId: scope.projectId, source, holds }
  const row = await q.first('search.idRange', args, (db, $) =>
    db
      .selectFrom('searchSources')
      .innerJoin('searchBlocks', 'searchBlocks.sourceId', 'searchSources.id')
      .where('searchSources.projectId', '=', $('projectId'))
      .where('searchSources.kind', '=', $('source'))
      .where('searchBlocks.holds', '=', $('holds'))
      .select((eb) => [
        eb.fn.min<number | null>('searchBlocks.id').as('first'),
        eb.fn.max<number | null>('searchBlocks.id').as('last'),
      ]),
  )
  const { first, last } = row ?? { first: null, last: null }
  if (first === null || last === null) return { first: 0, end: 0 }
  return { first: first * searchBlockSize, end: (last + 1) * searchBlockSize }
}
