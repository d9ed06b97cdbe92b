import { createWriter } from './bytes.ts'
import {
  assignColumns,
  encodeTexts,
  type PackedText,
  readUnits,
  unpackTexts,
} from './indexed-texts.ts'
import { writeNumbers } from './posting-list.ts'
import { addList, endPages, type PageWriter, startPages } from './posting-pages.ts'
import { addMatrix, addSignature, createMatrix } from './signature-matrix.ts'
import { firstSignatureKey, symbols } from './text-keys.ts'

/** The texts of a segment that is built. */
export const maxBuiltTexts = 4096

/** A segment that was built. */
export interface BuiltSegment {
  /** What `encodeTexts` returned. */
  texts: Uint8Array
  /** For each key the texts or columns that have it, until the next segment is built. */
  pages: Uint8Array
}

/** Builds a segment of packed texts with these ids. */
export function buildSegment(
  packed: Buffer,
  ids: readonly number[],
  isSigned: boolean,
): BuiltSegment {
  const texts = unpackTexts(packed).slice(0, maxBuiltTexts)
  const lengths = texts.map(({ length }) => length)
  const columns = isSigned ? assignColumns(lengths) : withoutColumns
  const matrix = isSigned ? createMatrix(columns.columns) : undefined
  const units = new Uint16Array(lengths.reduce((a, b) => Math.max(a, b), 0))
  kept.count = 0
  for (const [number, text] of texts.entries()) {
    readUnits(text, units)
    addTrigrams(number, units, text)
    if (matrix) addSignature(matrix, columns.firstColumns[number] ?? 0, units, text)
  }
  const pages = startPages()
  addPairs(pages, sortedPairs())
  if (matrix) addMatrix(pages, matrix)
  return {
    texts: encodeTexts({ ids: Float64Array.from(ids), ...columns }),
    pages: endPages(pages),
  }
}

const withoutColumns = {
  columns: 0,
  firstColumns: new Uint32Array(),
  lastColumns: new Uint32Array(),
}

/** Pairs of a key and the number of a text that has it. */
interface Pairs {
  keys: Uint32Array
  numbers: Uint16Array
  count: number
}

/** The arrays are kept: what a thread drops, it holds until much more has come together. */
let kept = emptyPairs(0)
let keptCopy = emptyPairs(0)

function emptyPairs(capacity: number): Pairs {
  return { keys: new Uint32Array(capacity), numbers: new Uint16Array(capacity), count: 0 }
}

/** Makes room for as many pairs. */
function reserve(capacity: number): void {
  if (capacity <= kept.keys.length) return
  const larger = emptyPairs(Math.max(capacity, 2 * kept.keys.length, 2 ** 16))
  larger.keys.set(kept.keys.subarray(0, kept.count))
  larger.numbers.set(kept.numbers.subarray(0, kept.count))
  larger.count = kept.count
  kept = larger
}

/** A bit for each key that the current text has; all are 0 between texts. */
let known: Uint32Array | undefined

/** Adds each trigram of a text once. */
function addTrigrams(number: number, units: Uint16Array, { length }: PackedText): void {
  known ??= new Uint32Array(firstSignatureKey / 32)
  reserve(kept.count + length)
  const { keys, numbers, count: first } = kept
  let count = first
  let key = (symbols[units[0] ?? 0] ?? 0) << 8
  if (length > 1) key |= symbols[units[1] ?? 0] ?? 0
  for (let at = 2; at < length + 2; at += 1) {
    // The symbols behind the end are 0.
    const next = at < length ? (symbols[units[at] ?? 0] ?? 0) : 0
    key = ((key << 8) | next) & 0xffffff
    const bit = 1 << (key & 31)
    const word = known[key >>> 5] ?? 0
    if ((word & bit) !== 0) continue
    known[key >>> 5] = word | bit
    keys[count] = key
    count += 1
  }
  numbers.fill(number, first, count)
  for (let at = first; at < count; at += 1) known[(keys[at] ?? 0) >>> 5] = 0
  kept.count = count
}

/** Sorts by key; the numbers of texts ascend already. */
function sortedPairs(): Pairs {
  const { count } = kept
  if (keptCopy.keys.length < count) keptCopy = emptyPairs(kept.keys.length)
  keptCopy.count = count
  sortByDigit(kept, keptCopy, 0)
  sortByDigit(keptCopy, kept, 12)
  return kept
}

/** A stable pass of radix sort, by the twelve bits of the key from `shift` on. */
function sortByDigit(from: Pairs, to: Pairs, shift: number): void {
  const { keys, numbers, count } = from
  const starts = new Uint32Array(2 ** 12 + 1)
  for (let at = 0; at < count; at += 1) {
    const digit = ((keys[at] ?? 0) >>> shift) & 0xfff
    starts[digit + 1] = (starts[digit + 1] ?? 0) + 1
  }
  for (let digit = 1; digit < starts.length; digit += 1) {
    starts[digit] = (starts[digit] ?? 0) + (starts[digit - 1] ?? 0)
  }
  for (let at = 0; at < count; at += 1) {
    const key = keys[at] ?? 0
    const digit = (key >>> shift) & 0xfff
    const place = starts[digit] ?? 0
    to.keys[place] = key
    to.numbers[place] = numbers[at] ?? 0
    starts[digit] = place + 1
  }
}

function addPairs(pages: PageWriter, { keys, numbers, count: total }: Pairs): void {
  const scratch = createWriter()
  for (let at = 0; at < total; ) {
    const key = keys[at] ?? 0
    let end = at + 1
    while (end < total && keys[end] === key) end += 1
    scratch.length = 0
    addList(pages, key, writeNumbers(scratch, numbers, at, end))
    at = end
  }
}
