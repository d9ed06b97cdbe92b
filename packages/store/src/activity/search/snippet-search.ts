import type { Kysely } from 'kysely'
import { viewerArgs, viewerKind } from '../../directory/members/visibility.ts'
import {
  type ListedSnippetRow,
  type SnippetSelect,
  snippetsWithProjects,
} from '../../planning/snippets/snippet-list.ts'
import { snippetColumns } from '../../planning/snippets/snippet-row.ts'
import { visibleSnippets } from '../../planning/snippets/snippet-visibility.ts'
import { listedColumns } from '../../platform/queries/listed-text.ts'
import type { Page, PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { searchForWords } from './contains-words.ts'
import { type SearchArgs, type SearchRequest, searchPage, viewer } from './search-request.ts'

/** The columns that each kind of search reads. */
const searched = {
  titles: ['snippets.title', 'snippets.fileName'],
  contents: ['snippets.content'],
} as const

/** Titles with file names, or contents. */
export type SearchedSnippetText = keyof typeof searched

/**
 * Lists a page of the snippets that the caller may see and that contain each word, newest first.
 * Two queries.
 */
export function searchSnippets(
  q: Queries,
  { within, search, caller, today }: SearchRequest & { within: SearchedSnippetText },
  request: PageRequest,
): Promise<Page<ListedSnippetRow>> {
  const kind = viewerKind(caller)
  const words = searchForWords(q.dialect, search)
  return searchPage(q, request, {
    shape: `snippets.search|${within}|${kind}|${words.shape}`,
    args: { ...viewerArgs(caller, today), ...words.args },
    // What the caller may not see is left out first, since contents may be large.
    from: (db: Kysely<Schema>, $: Param<SearchArgs>) =>
      snippetsWithProjects(db)
        .where(visibleSnippets(kind, viewer($)))
        .where(words.containedIn(searched[within], $)),
    order: (query: SnippetSelect) => query.orderBy('snippets.id', 'desc'),
    columns: (query: SnippetSelect) =>
      query
        .select(listedColumns('snippets', snippetColumns))
        .select('projects.fullPath as projectFullPath'),
    key: 'snippets.id',
  })
}
