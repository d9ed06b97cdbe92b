import type { CallerFacts } from '@stithy/core'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import { viewerArgs, viewerKind } from '../../directory/members/visibility.ts'
import { type ListedDescription, listedColumns } from '../../platform/queries/listed-text.ts'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { type Stamp, stampOf } from '../../platform/queries/stamps.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { type SnippetRow, snippetColumns } from './snippet-row.ts'
import { visibleSnippets } from './snippet-visibility.ts'

/** A snippet of a list, with the full path of its project; null for a personal one. */
export interface ListedSnippetRow extends SnippetRow, ListedDescription {
  projectFullPath: string | null
}

/** The caller and the date, `YYYY-MM-DD`. */
export interface SnippetViewer {
  caller: CallerFacts
  today: string
}

/** Snippets, each with its project, if any. */
export type SnippetSelect = SelectQueryBuilder<Schema, 'snippets' | 'projects', object>

/** Lists a page of one user's snippets that the caller may see, newest first. Three queries. */
export function listSnippetsOfAuthor(
  q: Queries,
  { authorId, caller, today }: SnippetViewer & { authorId: number },
  request: PageRequest,
): Promise<Page<ListedSnippetRow>> {
  const kind = viewerKind(caller)
  const args = { ...viewerArgs(caller, today), authorId }
  const from = (db: Kysely<Schema>, $: Param<typeof args>) =>
    snippetsWithProjects(db)
      .where('snippets.authorId', '=', $('authorId'))
      .where(visibleSnippets(kind, $))
  return list(q, { shape: `snippets.of-author|${kind}`, args, from, request })
}

/** Lists a page of all public snippets that the caller may see, newest first. Three queries. */
export function listPublicSnippets(
  q: Queries,
  { caller, today }: SnippetViewer,
  request: PageRequest,
): Promise<Page<ListedSnippetRow>> {
  const kind = viewerKind(caller)
  const args = viewerArgs(caller, today)
  const from = (db: Kysely<Schema>, $: Param<typeof args>) =>
    snippetsWithProjects(db)
      .where('snippets.visibility', '=', 'public')
      .where(visibleSnippets(kind, $))
  return list(q, { shape: `snippets.public|${kind}`, args, from, request })
}

/**
 * Which snippets of a project a caller can see besides their own: members all, non-members public or
 * also internal ones.
 */
export type SnippetAccess = 'all' | 'internal' | 'public'

/** Lists a page of the snippets of a project, newest first. Three queries. */
export function listSnippetsOfProject(
  q: Queries,
  { reach, ...args }: { projectId: number; userId: number; reach: SnippetAccess },
  request: PageRequest,
): Promise<Page<ListedSnippetRow>> {
  const from = (db: Kysely<Schema>, $: Param<typeof args>) => {
    const all = snippetsWithProjects(db).where('snippets.projectId', '=', $('projectId'))
    if (reach === 'all') return all
    return all.where((eb) =>
      eb.or([
        reach === 'public'
          ? eb('snippets.visibility', '=', 'public')
          : eb('snippets.visibility', 'in', ['public', 'internal']),
        eb('snippets.authorId', '=', $('userId')),
      ]),
    )
  }
  const stamp = [stampOf('snippets', args.projectId)]
  return list(q, { shape: `snippets.of-project|${reach}`, args, from, stamp, request })
}

/** `snippets` left-joined with their `projects`. */
export function snippetsWithProjects(db: Kysely<Schema>): SnippetSelect {
  return db
    .selectFrom('snippets')
    .leftJoin('projects', 'projects.id', 'snippets.projectId') as unknown as SnippetSelect
}

interface SnippetList<A> {
  shape: string
  args: A
  from: (db: Kysely<Schema>, $: Param<A>) => SnippetSelect
  stamp?: readonly Stamp[]
  request: PageRequest
}

function list<A extends object>(
  q: Queries,
  { request, stamp = ['snippets', 'projects', 'members'], ...parts }: SnippetList<A>,
): Promise<Page<ListedSnippetRow>> {
  return listPage(q, request, {
    ...parts,
    stamp,
    order: (query) => query.orderBy('snippets.id', 'desc'),
    columns: (query) =>
      query
        .select(listedColumns('snippets', snippetColumns))
        .select('projects.fullPath as projectFullPath'),
    key: 'snippets.id',
  })
}
