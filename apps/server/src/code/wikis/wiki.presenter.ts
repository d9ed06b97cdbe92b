import type { ListedWikiPage, WikiPage } from '@stithy/core'
import type { ListedPage, WrittenWikiPage } from './wiki-page.ts'

/** A page with its content. */
export function presentWikiPage({ content, format, slug, title }: WrittenWikiPage): WikiPage {
  return { content, format, slug, title }
}

/** A page in a list. */
export function presentListedPage({ content, format, slug, title }: ListedPage): ListedWikiPage {
  return content === undefined ? { format, slug, title } : { content, format, slug, title }
}
