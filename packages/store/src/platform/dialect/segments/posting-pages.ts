import {
  type ByteReader,
  type ByteWriter,
  createWriter,
  readVarint,
  writeBytes,
  writeVarint,
  written,
} from './bytes.ts'
import type { PostingList } from './posting-list.ts'

/** Bytes from which a page gets no further list. */
const pageBytes = 8192

/** Lists by ascending keys, in pages of some kilobytes. */
export interface PageWriter {
  pages: ByteWriter
  page: ByteWriter
  firstKey: number
  lastKey: number
}

const kept: PageWriter = {
  pages: createWriter(64 * 1024),
  page: createWriter(2 * pageBytes),
  firstKey: 0,
  lastKey: 0,
}

/** Starts pages anew, in the memory of those before, which end with it. */
export function startPages(): PageWriter {
  kept.pages.length = kept.page.length = 0
  return kept
}

/** Adds a list; the key is above those before. */
export function addList(writer: PageWriter, key: number, list: PostingList): void {
  const { page } = writer
  if (page.length === 0) {
    writer.firstKey = key
    writer.lastKey = 0
  }
  writeVarint(page, key - writer.lastKey)
  writeVarint(page, 2 * (list.end - list.start) + (list.isBitmap ? 1 : 0))
  writeBytes(page, list.bytes, list.start, list.end)
  writer.lastKey = key
  if (page.length >= pageBytes) endPage(writer)
}

function endPage({ pages, page, firstKey }: PageWriter): void {
  if (page.length === 0) return
  writeVarint(pages, firstKey)
  writeVarint(pages, page.length)
  writeBytes(pages, page.bytes, 0, page.length)
  page.length = 0
}

/** All pages, as `splitPages` reads them, until `startPages` is called again. */
export function endPages(writer: PageWriter): Uint8Array {
  endPage(writer)
  return written(writer.pages)
}

/** The pages of a `PageWriter`, each with its first key. */
export function* splitPages(pages: Uint8Array): Generator<[key: number, page: Uint8Array], void> {
  const reader = { bytes: pages, at: 0 }
  while (reader.at < pages.length) {
    const key = readVarint(reader)
    const end = readVarint(reader) + reader.at
    yield [key, pages.subarray(reader.at, end)]
    reader.at = end
  }
}

/** A list of a page, and its key. */
export interface PageCursor extends PostingList {
  key: number
}

/** Stands before the first list of a page. */
export function openPage(page: Uint8Array): PageCursor {
  return { key: 0, isBitmap: false, bytes: page, start: 0, end: 0 }
}

/** Moves to the next list; false if there is none. */
export function nextList(cursor: PageCursor): boolean {
  const reader: ByteReader = { bytes: cursor.bytes, at: cursor.end }
  if (reader.at >= cursor.bytes.length) return false
  cursor.key += readVarint(reader)
  const length = readVarint(reader)
  cursor.isBitmap = length % 2 === 1
  cursor.start = reader.at
  cursor.end = reader.at + (length >>> 1)
  return true
}

export function firstKeyOf(page: Uint8Array): number {
  return readVarint({ bytes: page, at: 0 })
}
