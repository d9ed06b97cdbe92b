import { foldCase, wikiFileOf } from '@stithy/core'
import { type BlobReading, type Repository, readBlobsOnce } from '@stithy/git'
import { decodeText, isText, type SearchSourceKind } from '@stithy/store'
import type { App } from '../../platform/app.ts'

/**
 * What of a path is searched, in lower case: the path, and for a page of a wiki also its title with
 * its folders, as its users see it.
 */
export function searchedPath(kind: SearchSourceKind, path: string): string {
  const page = kind === 'wiki' ? wikiFileOf(path) : undefined
  const title = page === undefined ? '' : `\n${page.slug.replaceAll('-', ' ')}`
  return foldCase(`${path}${title}`)
}

/**
 * Reads files by full id, in order and in batches of about 256 KiB; undefined for what is binary, too
 * large or missing.
 */
export async function* readContents(
  app: App,
  repository: Repository,
  oids: readonly string[],
  reading: Omit<BlobReading, 'maxBytes'>,
): AsyncGenerator<(Buffer | undefined)[], void> {
  for await (const batch of readFiles(app, repository, oids, reading)) {
    yield batch.map((content) => (content && isText(content) ? content : undefined))
  }
}

/** Reads files as texts; see `readContents`. */
export async function* readTexts(
  app: App,
  repository: Repository,
  oids: readonly string[],
): AsyncGenerator<(string | undefined)[], void> {
  for await (const batch of readFiles(app, repository, oids)) {
    yield batch.map((content) => content && decodeText(content))
  }
}

function readFiles(
  { git, config }: App,
  repository: Repository,
  oids: readonly string[],
  reading: Omit<BlobReading, 'maxBytes'> = {},
) {
  const { maxFileBytes: maxBytes } = config.codeLimits.search
  return readBlobsOnce(git, repository, oids, { maxBytes, ...reading })
}

/** Reads one file as text; see `readTexts`. */
export async function readText(
  app: App,
  repository: Repository,
  oid: string,
): Promise<string | undefined> {
  for await (const [text] of readTexts(app, repository, [oid])) return text
  return undefined
}
