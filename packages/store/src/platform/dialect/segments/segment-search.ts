import { decodeTexts, type IndexedTexts, readCounts } from './indexed-texts.ts'
import { hasBit, orList } from './posting-list.ts'
import { nextList, openPage } from './posting-pages.ts'
import { firstSignatureKey, type KeyRange } from './text-keys.ts'

/** Which texts a search takes. */
export interface HitRequest {
  /** How many single keys, or ranges, are looked up. */
  keys: number
  /** Ids from `first` to below `before`, the highest first. */
  first: number
  before: number
  limit: number
  /** Ids are in blocks of this size, and those of these blocks may be read. */
  blockSize: number
  blocks: ReadonlySet<number>
}

/** A search that gets what it reads piece by piece, that of each segment from its texts on. */
export interface HitSearch {
  request: HitRequest | undefined
  segments: SegmentHits[]
}

/** What is known of a segment. */
interface SegmentHits {
  id: number
  texts: Uint8Array
  deleted: Uint8Array | null
  lastId: number
  /** How many of the single keys it has. */
  found: number
  /** The texts and columns that have all keys so far; undefined for all. */
  having: { texts: Uint8Array | undefined; columns: Uint8Array | undefined }
}

export function startHits(): HitSearch {
  return { request: undefined, segments: [] }
}

export function addSegment(
  search: HitSearch,
  segment: Pick<SegmentHits, 'deleted' | 'id' | 'lastId' | 'texts'>,
): void {
  const having = { texts: undefined, columns: undefined }
  search.segments.push({ ...segment, found: 0, having })
}

/** Takes the lists of a range of keys from a page of the segment that was added last. */
export function addPage(
  { segments }: HitSearch,
  id: number,
  range: KeyRange,
  page: Uint8Array,
): void {
  const segment = segments.at(-1)
  if (segment?.id !== id) throw new Error('A page comes before its segment')
  const what = range.from < firstSignatureKey ? 'texts' : 'columns'
  const { having } = segment
  const before = having[what]
  const cursor = openPage(page)
  const isRange = range.to > range.from
  let bitmap = isRange ? before : undefined
  while (nextList(cursor) && cursor.key <= range.to) {
    if (cursor.key < range.from) continue
    bitmap ??= new Uint8Array((readCounts(segment.texts)[what] >>> 3) + 2)
    orList(bitmap, cursor)
    if (!isRange) break
  }
  if (bitmap === undefined) return
  if (isRange) {
    segment.found = 1
  } else {
    segment.found += 1
    if (before !== undefined) keepCommon(bitmap, before)
  }
  having[what] = bitmap
}

function keepCommon(bitmap: Uint8Array, other: Uint8Array): void {
  for (let at = 0; at < bitmap.length; at += 1) bitmap[at] = (bitmap[at] ?? 0) & (other[at] ?? 0)
}

/** The highest ids of texts that have all keys, descending. */
export function endHits({ request, segments }: HitSearch): number[] {
  if (request === undefined) return []
  const { limit } = request
  let ids: number[] = []
  for (const segment of segments.toSorted((a, b) => b.lastId - a.lastId)) {
    if (ids.length >= limit && segment.lastId < (ids[limit - 1] ?? 0)) break
    if (segment.found < request.keys) continue
    ids = highest([...ids, ...hitsOf(segment, request)], limit)
  }
  return ids
}

function highest(ids: number[], limit: number): number[] {
  return ids.sort((a, b) => b - a).slice(0, limit)
}

function hitsOf(
  { texts, deleted, having }: SegmentHits,
  { first, before, limit, blockSize, blocks }: HitRequest,
): number[] {
  if (having.texts === undefined || isEmpty(having.texts)) return []
  if (having.columns !== undefined && isEmpty(having.columns)) return []
  const decoded = decodeTexts(texts)
  const hits: number[] = []
  let lastId = Number.POSITIVE_INFINITY
  let isDescending = true
  for (let number = decoded.ids.length - 1; number >= 0; number -= 1) {
    const id = decoded.ids[number] ?? 0
    if (id > lastId) isDescending = false
    lastId = id
    if (id < first || id >= before || !hasBit(having.texts, number)) continue
    if (deleted !== null && hasBit(deleted, number)) continue
    if (having.columns !== undefined && !hasColumn(decoded, number, having.columns)) continue
    if (blocks.has(Math.floor(id / blockSize))) hits.push(id)
  }
  return isDescending ? hits.slice(0, limit) : highest(hits, limit)
}

function hasColumn(
  { firstColumns, lastColumns }: IndexedTexts,
  number: number,
  columns: Uint8Array,
): boolean {
  const last = lastColumns[number] ?? 0
  for (let column = firstColumns[number] ?? 0; column <= last; column += 1) {
    if (hasBit(columns, column)) return true
  }
  return false
}

function isEmpty(bitmap: Uint8Array): boolean {
  return bitmap.every((byte) => byte === 0)
}
