import type { FoundSnippet, Snippet } from '@stithy/core'
import { type Page, type SearchedSnippetText, searchSnippets } from '@stithy/store'
import { viewSnippets } from '../../planning/snippets/snippet-views.service.ts'
import { type SearchRequest, textSearch } from './search-request.ts'

/** Snippets by their titles and file names. */
export function searchSnippetTitles(request: SearchRequest): Promise<Page<FoundSnippet>> {
  return findSnippets(request, 'titles')
}

/** Snippets by their contents. */
export function searchSnippetBlobs(request: SearchRequest): Promise<Page<FoundSnippet>> {
  return findSnippets(request, 'contents')
}

async function findSnippets(
  request: SearchRequest,
  within: SearchedSnippetText,
): Promise<Page<FoundSnippet>> {
  const { app, page } = request
  const rows = await searchSnippets(app.db, { ...textSearch(request), within }, page)
  const found = await viewSnippets(app, rows)
  return { ...found, items: found.items.map(presentFoundSnippet) }
}

function presentFoundSnippet({ visibility: _, ...found }: Snippet): FoundSnippet {
  return found
}
