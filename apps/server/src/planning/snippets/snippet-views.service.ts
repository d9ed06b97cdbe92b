import type { PersonalSnippet, Snippet } from '@stithy/core'
import type { ListedSnippetRow, Page } from '@stithy/store'
import { userRefs } from '../../directory/users/user-views.service.ts'
import type { App } from '../../platform/app.ts'
import type { SnippetItem } from '../items/item.ts'
import { withDescriptions } from '../items/lists/listed-descriptions.ts'
import { presentPersonalSnippets, presentSnippets } from './snippet.presenter.ts'

type SnippetPage = Page<ListedSnippetRow>

/**
 * A page of snippets as `/projects/:id/snippets` shows them. One query; long descriptions are read
 * when they are written.
 */
export async function viewSnippets(app: App, page: SnippetPage): Promise<Page<Snippet>> {
  const authors = await authorsOf(app, page)
  return { ...page, items: presentSnippets(app.config, describe(app, page), authors) }
}

/** A page of snippets as `/snippets` shows them; see `viewSnippets`. */
export async function viewPersonalSnippets(
  app: App,
  page: SnippetPage,
): Promise<Page<PersonalSnippet>> {
  const authors = await authorsOf(app, page)
  return { ...page, items: presentPersonalSnippets(app.config, describe(app, page), authors) }
}

/** One snippet; see `viewSnippets`. */
export async function viewSnippet(app: App, item: SnippetItem): Promise<Snippet> {
  return first((await viewSnippets(app, pageOf(item))).items)
}

/** One snippet; see `viewPersonalSnippets`. */
export async function viewPersonalSnippet(app: App, item: SnippetItem): Promise<PersonalSnippet> {
  return first((await viewPersonalSnippets(app, pageOf(item))).items)
}

function describe(app: App, { items }: SnippetPage): readonly ListedSnippetRow[] {
  return withDescriptions(app, 'snippets', items)
}

async function authorsOf(app: App, { items }: SnippetPage) {
  return userRefs(
    app,
    items.map(({ authorId }) => authorId),
  )
}

function pageOf({ row, project }: SnippetItem): SnippetPage {
  const items = [{ ...row, projectFullPath: project?.row.fullPath ?? null }]
  return { items, total: 1, page: 1, perPage: 1 }
}

function first<T>([item]: readonly T[]): T {
  if (item === undefined) throw new TypeError('A snippet has no author')
  return item
}
