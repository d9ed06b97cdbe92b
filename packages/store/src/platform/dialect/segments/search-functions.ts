import type Sqlite from 'better-sqlite3'
import { release } from './bytes.ts'
import { decodeTexts } from './indexed-texts.ts'
import { countBits, setBit } from './posting-list.ts'
import { splitPages } from './posting-pages.ts'
import { buildSegment } from './segment-build.ts'
import { type MergedSegment, mergePages, mergeTexts } from './segment-merge.ts'
import { addPage, addSegment, endHits, type HitRequest, startHits } from './segment-search.ts'

const deterministic = true

/** Adds what statements over the tables of the search index call to a connection. */
export function addSearchFunctions(connection: Sqlite.Database): void {
  addBuild(connection)
  connection.table('search_split', {
    columns: ['key', 'page'],
    parameters: ['pages'],
    *rows(pages) {
      for (const [key, page] of splitPages(pages as Buffer)) yield [key, page]
      release(pages as Buffer)
    },
  })
  connection.function('search_deleted', { deterministic }, (texts, deleted, ids) =>
    withDeleted(texts as Buffer, deleted as Buffer | null, String(ids)),
  )
  connection.function('search_bits', { deterministic }, (bitmap) =>
    bitmap === null ? 0 : countBits(bitmap as Buffer),
  )
  addMerges(connection)
  addHits(connection)
}

/**
 * A segment is in two tables: what is built for the first is kept for the other, which must be
 * written next.
 */
function addBuild(connection: Sqlite.Database): void {
  let pages: Uint8Array | undefined
  connection.function('search_built_texts', (packed, ids, isSigned) => {
    const built = buildSegment(packed as Buffer, JSON.parse(String(ids)), isSigned === 1)
    release(packed as Buffer)
    pages = built.pages
    return built.texts
  })
  connection.function('search_built_pages', () => {
    if (pages === undefined) throw new Error('No segment was built')
    const built = pages
    pages = undefined
    return built
  })
}

/** A bitmap with more deleted texts; null if a segment has none of the ids. */
function withDeleted(encoded: Buffer, deleted: Buffer | null, idList: string): Buffer | null {
  const wanted = new Set<number>(JSON.parse(idList))
  const { ids } = decodeTexts(encoded)
  const bitmap = Buffer.alloc((ids.length >>> 3) + 1)
  if (deleted !== null) bitmap.set(deleted.subarray(0, bitmap.length))
  let isChanged = false
  for (let number = 0; number < ids.length; number += 1) {
    if (!wanted.has(ids[number] ?? 0)) continue
    setBit(bitmap, number)
    isChanged = true
  }
  return isChanged ? bitmap : null
}

interface MergedParts extends MergedSegment {
  pages: Uint8Array[]
}

interface Merge {
  segments: Map<number, MergedParts>
  range: { from: number; to: number }
}

/** Texts and deletions of a segment, or one of its pages. */
type MergedRow = [
  id: number,
  texts: Buffer | null,
  deleted: Buffer | null,
  page: Buffer | null,
  from: number,
  to: number,
]

/** Segments are merged in the order of their ids. */
function segmentsOf({ segments }: Merge): MergedParts[] {
  return [...segments].toSorted(([a], [b]) => a - b).map(([, segment]) => segment)
}

const nothing = new Uint8Array()

function addMerges(connection: Sqlite.Database): void {
  const options = {
    deterministic,
    varargs: true,
    start: (): Merge => ({ segments: new Map(), range: { from: 0, to: 0 } }),
    step(merge: Merge, ...row: unknown[]) {
      const [id, texts, deleted, page, from, to] = row as MergedRow
      merge.range = { from, to }
      const { pages = [], ...known } = merge.segments.get(id) ?? { texts: nothing, deleted: null }
      if (page !== null) pages.push(page)
      merge.segments.set(id, texts === null ? { ...known, pages } : { texts, deleted, pages })
    },
  }
  connection.aggregate('search_merged_texts', {
    ...options,
    result: (merge) => mergeTexts(segmentsOf(merge)),
  })
  connection.aggregate('search_merged_pages', {
    ...options,
    result(merge) {
      const segments = segmentsOf(merge)
      const merged = mergePages(segments, merge.range)
      for (const { pages } of segments) pages.forEach(release)
      return merged
    },
  })
}

/** The texts of a segment, and with them the request; or a page for a range of keys. */
type HitRow = [
  request: string | null,
  blocks: string | null,
  segment: number,
  lastId: number,
  texts: Buffer | null,
  deleted: Buffer | null,
  from: number,
  to: number,
  page: Buffer | null,
]

function addHits(connection: Sqlite.Database): void {
  connection.aggregate('search_hits', {
    deterministic,
    varargs: true,
    start: startHits,
    step(search, ...row: unknown[]) {
      const [request, blocks, id, lastId, texts, deleted, from, to, page] = row as HitRow
      search.request ??= {
        ...(JSON.parse(String(request)) as Omit<HitRequest, 'blocks'>),
        blocks: new Set<number>(JSON.parse(String(blocks))),
      }
      if (texts !== null) addSegment(search, { id, texts, deleted, lastId })
      if (page === null) return
      addPage(search, id, { from, to }, page)
      release(page)
    },
    result: (search) => JSON.stringify(endHits(search)),
  })
}
