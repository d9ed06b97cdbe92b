import { isUtf8 } from 'node:buffer'
import { foldCase, wikiFileOf } from '@stithy/core'
import { type Repository, readBlobsOnce } from '@stithy/git'
import type { SearchSourceKind } from '@stithy/store'
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

const bigEndian = Buffer.from([0xfe, 0xff])
const littleEndian = Buffer.from([0xff, 0xfe])

/**
 * The text of a file: UTF-16 with a byte order mark, UTF-8, or else ISO 8859-1; undefined if it is
 * binary, which is what has a NUL character.
 */
export function decodeText(content: Buffer): string | undefined {
  const text = decode(content)
  return text.includes('\0') ? undefined : text
}

function decode(content: Buffer): string {
  const mark = content.subarray(0, 2)
  const isUtf16 = content.length % 2 === 0
  if (isUtf16 && mark.equals(littleEndian)) return fromUtf16(content.subarray(2))
  if (isUtf16 && mark.equals(bigEndian)) return fromUtf16(Buffer.from(content.subarray(2)).swap16())
  return content.toString(isUtf8(content) ? 'utf8' : 'latin1')
}

function fromUtf16(content: Buffer): string {
  return content.toString('utf16le').toWellFormed()
}

/**
 * Reads files as texts, by full id, in order and in batches of about 256 KiB; undefined for what is
 * binary, too large or missing.
 */
export async function* readTexts(
  { git, config }: App,
  repository: Repository,
  oids: readonly string[],
): AsyncGenerator<(string | undefined)[], void> {
  const { maxFileBytes } = config.codeLimits.search
  for await (const batch of readBlobsOnce(git, repository, oids, maxFileBytes)) {
    yield batch.map((content) => content && decodeText(content))
  }
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
