import { createWriter } from './bytes.ts'
import { decodeTexts, encodeTexts, type IndexedTexts } from './indexed-texts.ts'
import { eachNumber, hasBit, orList, setBit, writeBitmap, writeJoined } from './posting-list.ts'
import {
  addList,
  endPages,
  firstKeyOf,
  nextList,
  openPage,
  type PageCursor,
  type PageWriter,
  startPages,
} from './posting-pages.ts'
import { firstSignatureKey, keyLimit } from './text-keys.ts'

/** A segment that is merged with others. */
export interface MergedSegment {
  /** What `encodeTexts` returned. */
  texts: Uint8Array
  /** A bit for each text that is deleted; null for none. */
  deleted: Uint8Array | null
}

/** The numbers of a segment's texts or columns in the merged one. */
interface Places {
  /** What is added to each number. */
  offset: number
  /** The new number of each if some are left out, which have -1; else undefined. */
  moved: Int32Array | undefined
}

interface Placed {
  texts: Places
  columns: Places
}

/** The texts of segments in one, without those that are deleted and columns of these alone. */
export function mergeTexts(segments: readonly MergedSegment[]): Uint8Array {
  return encodeTexts(place(segments).merged)
}

function place(segments: readonly MergedSegment[]): { merged: IndexedTexts; placed: Placed[] } {
  const decoded = segments.map(({ texts }) => decodeTexts(texts))
  const placed: Placed[] = []
  const counts = { texts: 0, columns: 0 }
  for (const [index, texts] of decoded.entries()) {
    const deleted = segments[index]?.deleted ?? null
    const places = {
      texts: placesOf(counts.texts, texts.ids.length, (number) => !isSet(deleted, number)),
      columns: placesOf(counts.columns, texts.columns, keptColumns(texts, deleted)),
    }
    placed.push(places)
    counts.texts += countPlaces(places.texts, texts.ids.length)
    counts.columns += countPlaces(places.columns, texts.columns)
  }
  const merged: IndexedTexts = {
    ids: new Float64Array(counts.texts),
    firstColumns: new Uint32Array(counts.texts),
    lastColumns: new Uint32Array(counts.texts),
    columns: counts.columns,
  }
  for (const [index, texts] of decoded.entries()) copyTexts(merged, texts, placed[index])
  return { merged, placed }
}

function isSet(bitmap: Uint8Array | null, position: number): boolean {
  return bitmap !== null && hasBit(bitmap, position)
}

/** Whether a text that is not deleted has a column. */
function keptColumns(
  { ids, firstColumns, lastColumns, columns }: IndexedTexts,
  deleted: Uint8Array | null,
): (column: number) => boolean {
  if (deleted === null) return () => true
  const kept = new Uint8Array((columns >>> 3) + 1)
  for (let number = 0; number < ids.length; number += 1) {
    if (isSet(deleted, number)) continue
    const last = lastColumns[number] ?? 0
    for (let column = firstColumns[number] ?? 0; column <= last; column += 1) setBit(kept, column)
  }
  return (column) => hasBit(kept, column)
}

function placesOf(offset: number, count: number, isKept: (number: number) => boolean): Places {
  const moved = new Int32Array(count)
  let next = offset
  for (let number = 0; number < count; number += 1) {
    moved[number] = isKept(number) ? next : -1
    if (isKept(number)) next += 1
  }
  return { offset, moved: next - offset === count ? undefined : moved }
}

function countPlaces({ offset, moved }: Places, count: number): number {
  return moved === undefined
    ? count
    : moved.reduce((next, to) => Math.max(next, to + 1), offset) - offset
}

function newPlace({ offset, moved }: Places, number: number): number {
  return moved === undefined ? number + offset : (moved[number] ?? -1)
}

function copyTexts(to: IndexedTexts, from: IndexedTexts, placed: Placed | undefined): void {
  if (placed === undefined) return
  for (let number = 0; number < from.ids.length; number += 1) {
    const place = newPlace(placed.texts, number)
    if (place < 0) continue
    to.ids[place] = from.ids[number] ?? 0
    if (from.columns === 0) continue
    to.firstColumns[place] = newPlace(placed.columns, from.firstColumns[number] ?? 0)
    to.lastColumns[place] = newPlace(placed.columns, from.lastColumns[number] ?? 0)
  }
}

/** Pages of a segment, in any order; they may have keys outside of the range. */
type SegmentPages = MergedSegment & { pages: readonly Uint8Array[] }

/** Merges the lists of segments whose keys are in a range, from `from` to below `to`. */
export function mergePages(
  segments: readonly SegmentPages[],
  { from, to }: { from: number; to: number },
): Uint8Array {
  const { merged, placed } = place(segments)
  const readers = segments.flatMap(({ pages }, index) => {
    const places = placed[index]
    return places === undefined ? [] : [createReader(pages, places, { from, to })]
  })
  const writer = startPages()
  const scratch = {
    texts: new Uint8Array((merged.ids.length >>> 3) + 2),
    columns: new Uint8Array((merged.columns >>> 3) + 2),
  }
  const due: SegmentReader[] = []
  for (;;) {
    const key = takeDue(readers, due)
    if (key === keyLimit) return endPages(writer)
    const what = key < firstSignatureKey ? 'texts' : 'columns'
    for (const reader of due) reader.places = reader.placed[what]
    addMerged(writer, key, due, scratch[what])
    for (const reader of due) advance(reader)
  }
}

/** Finds the readers whose next key is the lowest, which it returns; `keyLimit` if all have ended. */
function takeDue(readers: readonly SegmentReader[], due: SegmentReader[]): number {
  let key = keyLimit
  let count = 0
  for (const reader of readers) {
    if (reader.key > key || reader.key === keyLimit) continue
    if (reader.key < key) count = 0
    key = reader.key
    due[count] = reader
    count += 1
  }
  due.length = count
  return key
}

/** Goes through the lists of a segment. */
interface SegmentReader {
  rest: Uint8Array[]
  /** Where the list with the next key is. */
  list: PageCursor
  /** The key of that list; `keyLimit` behind the end. */
  key: number
  to: number
  placed: Placed
  /** Those of the numbers of that list. */
  places: Places
}

function createReader(
  pages: readonly Uint8Array[],
  placed: Placed,
  { from, to }: { from: number; to: number },
): SegmentReader {
  const [first = new Uint8Array(), ...rest] = pages.toSorted(
    (a, b) => firstKeyOf(a) - firstKeyOf(b),
  )
  const reader = { rest, list: openPage(first), key: 0, to, placed, places: placed.texts }
  do advance(reader)
  while (reader.key < from)
  return reader
}

function advance(reader: SegmentReader): void {
  while (!nextList(reader.list)) {
    const page = reader.rest.shift()
    if (page === undefined) {
      reader.key = keyLimit
      return
    }
    reader.list = openPage(page)
  }
  reader.key = reader.list.key < reader.to ? reader.list.key : keyLimit
}

/** What is shorter by far than the bitmap stays a list of differences. */
const shortShare = 2

/** Adds a list of those of several segments, of which there is one for hundreds of thousands of keys. */
function addMerged(
  writer: PageWriter,
  key: number,
  parts: readonly Part[],
  scratch: Uint8Array,
): void {
  joined.length = 0
  let size = 0
  let isJoinable = true
  for (const { list, places } of parts) {
    size += list.end - list.start
    isJoinable &&= !list.isBitmap && places.moved === undefined
  }
  if (isJoinable && shortShare * size < scratch.length) {
    addList(writer, key, writeJoined(joined, parts))
    return
  }
  for (const { list, places } of parts) {
    if (places.moved === undefined) {
      orList(scratch, list, places.offset)
    } else {
      eachNumber(list, (number) => {
        const place = newPlace(places, number)
        if (place >= 0) setBit(scratch, place)
      })
    }
  }
  const list = writeBitmap(joined, scratch, { from: 0, to: scratch.length })
  if (list !== undefined) addList(writer, key, list)
  scratch.fill(0)
}

type Part = Pick<SegmentReader, 'list' | 'places'>

const joined = createWriter(64 * 1024)
