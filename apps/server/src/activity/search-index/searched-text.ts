import { isUtf8 } from 'node:buffer'
import { wikiFileOf } from '@stithy/core'
import { objectInfo, type Repository, readObject } from '@stithy/git'
import type { SearchSourceKind } from '@stithy/store'
import type { App } from '../../platform/app.ts'

/**
 * What of a path is searched, in lower case: the path, and for a page of a wiki also its title with
 * its folders, as its users see it.
 */
export function searchedPath(kind: SearchSourceKind, path: string): string {
  const page = kind === 'wiki' ? wikiFileOf(path) : undefined
  const title = page === undefined ? '' : `\n${page.slug.replaceAll('-', ' ')}`
  return `${path}${title}`.toLowerCase()
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

/** Reads a file as text, by full id; undefined if it is binary, too large or missing. */
export async function readText(
  { git, config }: App,
  repository: Repository,
  oid: string,
): Promise<string | undefined> {
  const { maxFileBytes } = config.codeLimits.search
  const info = await objectInfo(git, repository, oid)
  if (info?.type !== 'blob' || info.size > maxFileBytes) return undefined
  // Most files are read once: those of a whole repository would displace what others use.
  const object = await readObject(git, repository, oid, { uncached: true })
  return object && decodeText(object.content)
}
