import type { CallerFacts } from '@stithy/core'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import { countRows, type Page, type PageRequest, selectPage } from '../page.ts'
import type { Param, Queries } from '../queries.ts'
import type { Schema } from '../schema/schema.ts'
import { viewerArgs, viewerKind } from '../visibility.ts'
import { type SnippetRow, snippetColumns } from './snippet-row.ts'
import { visibleSnippets } from './snippet-visibility.ts'

/** A snippet with the path of the project that it is in; null for a personal one. */
export interface ListedSnippetRow extends SnippetRow {
  projectFullPath: string | null
}

/** Who looks, and on which day, `YYYY-MM-DD`. */
export interface SnippetViewer {
  caller: CallerFacts
  today: string
}

type Select = SelectQueryBuilder<Schema, 'snippets' | 'projects', object>

/** A page of what one user wrote, as far as the caller may see it, the newest first. Three queries. */
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

/** A page of all public snippets that the caller may see, the newest first. Three queries. */
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

/** Whose snippets of a project somebody sees besides their own: members all, visitors the open ones. */
export type SnippetReach = 'all' | 'internal' | 'public'

/** A page of the snippets of a project, the newest first. Three queries. */
export function listSnippetsOfProject(
  q: Queries,
  { reach, ...args }: { projectId: number; userId: number; reach: SnippetReach },
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
  return list(q, { shape: `snippets.of-project|${reach}`, args, from, request })
}

function snippetsWithProjects(db: Kysely<Schema>): Select {
  return db
    .selectFrom('snippets')
    .leftJoin('projects', 'projects.id', 'snippets.projectId') as unknown as Select
}

interface SnippetList<A> {
  shape: string
  args: A
  from: (db: Kysely<Schema>, $: Param<A>) => Select
  request: PageRequest
}

async function list<A extends object>(
  q: Queries,
  { shape, args, from, request }: SnippetList<A>,
): Promise<Page<ListedSnippetRow>> {
  const total = await countRows(q, {
    shape: `${shape}|count`,
    args,
    stamp: ['snippets', 'projects', 'members'],
    build: (db, $) => from(db, $).select((eb) => eb.fn.countAll<number>().as('total')),
  })
  const items = await selectPage(q, request, {
    shape,
    args,
    from,
    order: (query) => query.orderBy('snippets.id', 'desc'),
    columns: (query) => query.select(snippetColumns).select('projects.fullPath as projectFullPath'),
    key: 'snippets.id',
  })
  return { items, total, ...request }
}
