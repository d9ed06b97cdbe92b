import type { WikiFile } from '@stithy/core'
import { decodeText } from '@stithy/store'

/** A page of a wiki at one moment. */
export interface WikiPageEntry extends WikiFile {
  /** The blob with its content. */
  oid: string
}

/** A page with its content. */
export interface ReadWikiPage extends WikiPageEntry {
  content: string
}

/** A page as it was written. */
export type WrittenWikiPage = Omit<ReadWikiPage, 'oid'>

/** A page in a list, with its content if it was asked for. */
export type ListedPage = WikiPageEntry & { content?: string }

/**
 * The content of a page as a text, in the encodings that searches know. One that is binary still has the
 * NUL characters that tell it.
 */
export function wikiText(content: Buffer): string {
  return decodeText(content) ?? content.toString('utf8')
}

/** What v4 clients know as the message of a page's commit, after the name of who made it. */
export function pageMessage(action: 'created' | 'updated' | 'deleted', title: string): string {
  return `${action} page: ${title}`
}
