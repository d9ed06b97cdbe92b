import { createWriter } from './bytes.ts'
import {
  assignColumns,
  columnPart,
  type PackedText,
  readUnits,
  unpackTexts,
} from './indexed-texts.ts'
import { writeBitmap, writeNumbers } from './posting-list.ts'
import { addList, endPages, type PageWriter, startPages } from './posting-pages.ts'
import {
  firstSignatureKey,
  gramUnits,
  nextGram,
  signatureBit,
  signatureBits,
  symbols,
} from './text-keys.ts'

/** The texts of a segment that is built: the number of one has eight bits beside its key. */
export const maxBuiltTexts = 256

/** Builds the pages of a segment: for each key the texts or columns that have it. */
export function buildPages(packed: Uint8Array, isSigned: boolean): Uint8Array {
  const texts = unpackTexts(packed).slice(0, maxBuiltTexts)
  const lengths = texts.map(({ length }) => length)
  const { columns, firstColumns } = assignColumns(lengths)
  const matrix = isSigned ? createMatrix(columns) : undefined
  const pairs = createPairs()
  const units = new Uint16Array(Math.max(0, ...lengths))
  for (const [number, text] of texts.entries()) {
    readUnits(text, units)
    addTrigrams(pairs, number, units, text)
    if (matrix !== undefined) addSignature(matrix, firstColumns[number] ?? 0, units, text)
  }
  const pages = startPages()
  addPairs(pages, sortedPairs(pairs))
  if (matrix !== undefined) addMatrix(pages, matrix)
  return endPages(pages)
}

/** Pairs of a key and the number of a text, as `256 * key + number`. */
interface Pairs {
  pairs: Uint32Array
  count: number
}

/** The arrays are kept: what a thread drops, it holds until much more has come together. */
let keptPairs = new Uint32Array(2 ** 18)
let keptPlaces = new Uint32Array()

function createPairs(): Pairs {
  return { pairs: keptPairs, count: 0 }
}

/** A bit for each key that the current text has; all are 0 between texts. */
let known: Uint32Array | undefined

/** Adds each trigram of a text once. */
function addTrigrams(to: Pairs, number: number, units: Uint16Array, { length }: PackedText): void {
  known ??= new Uint32Array(firstSignatureKey / 32)
  if (to.count + length > to.pairs.length) {
    const pairs = new Uint32Array(Math.max(to.count + length, 2 * to.pairs.length))
    pairs.set(to.pairs.subarray(0, to.count))
    to.pairs = keptPairs = pairs
  }
  const { pairs } = to
  const first = to.count
  let { count } = to
  // The symbols behind the end are 0.
  let next = symbols[units[0] ?? 0] ?? 0
  let key = (next << 8) | (length > 1 ? (symbols[units[1] ?? 0] ?? 0) : 0)
  for (let at = 2; at < length + 2; at += 1) {
    next = at < length ? (symbols[units[at] ?? 0] ?? 0) : 0
    key = ((key << 8) | next) & 0xffffff
    const bit = 1 << (key & 31)
    const word = known[key >>> 5] ?? 0
    if ((word & bit) !== 0) continue
    known[key >>> 5] = word | bit
    pairs[count] = (key << 8) | number
    count += 1
  }
  for (let at = first; at < count; at += 1) known[(pairs[at] ?? 0) >>> 13] = 0
  to.count = count
}

/** Sorts by key; the numbers of texts ascend already. */
function sortedPairs({ pairs, count }: Pairs): Uint32Array {
  const from = pairs.subarray(0, count)
  if (keptPlaces.length < count) keptPlaces = new Uint32Array(pairs.length)
  const to = keptPlaces.subarray(0, count)
  sortByDigit(from, to, 8)
  sortByDigit(to, from, 20)
  return from
}

/** A stable pass of radix sort, by the twelve bits from `shift` on. */
function sortByDigit(from: Uint32Array, to: Uint32Array, shift: number): void {
  const starts = new Uint32Array(2 ** 12 + 1)
  for (let at = 0; at < from.length; at += 1) {
    const digit = ((from[at] ?? 0) >>> shift) & 0xfff
    starts[digit + 1] = (starts[digit + 1] ?? 0) + 1
  }
  for (let digit = 1; digit < starts.length; digit += 1) {
    starts[digit] = (starts[digit] ?? 0) + (starts[digit - 1] ?? 0)
  }
  for (let at = 0; at < from.length; at += 1) {
    const pair = from[at] ?? 0
    const digit = (pair >>> shift) & 0xfff
    const place = starts[digit] ?? 0
    to[place] = pair
    starts[digit] = place + 1
  }
}

function addPairs(pages: PageWriter, pairs: Uint32Array): void {
  const numbers = new Uint32Array(maxBuiltTexts)
  const scratch = createWriter()
  for (let at = 0; at < pairs.length; ) {
    const key = (pairs[at] ?? 0) >>> 8
    let count = 0
    for (; at < pairs.length && (pairs[at] ?? 0) >>> 8 === key; at += 1) {
      numbers[count] = (pairs[at] ?? 0) & 0xff
      count += 1
    }
    scratch.length = 0
    addList(pages, key, writeNumbers(scratch, numbers, count))
  }
}

/** A row for each bit of a signature, with a bit for each column. */
interface Matrix {
  rowBytes: number
  bits: Uint8Array
}

let keptBits = new Uint8Array()

function createMatrix(columns: number): Matrix {
  const rowBytes = (columns + 7) >>> 3
  const size = rowBytes * signatureBits
  if (keptBits.length < size) keptBits = new Uint8Array(size)
  return { rowBytes, bits: keptBits.fill(0, 0, size) }
}

/** Sets the bits of the parts of a text, whose columns start at `firstColumn`. */
function addSignature(
  matrix: Matrix,
  firstColumn: number,
  units: Uint16Array,
  { length }: PackedText,
): void {
  for (let position = 0, isLast = false; !isLast; position += 1) {
    const { start, end } = columnPart(length, position)
    isLast = end === length
    let gram = 0
    for (let at = start; at < end; at += 1) {
      const left = at - start < gramUnits ? 0 : (units[at - gramUnits] ?? 0)
      gram = nextGram(gram, units[at] ?? 0, left)
      if (at - start < gramUnits - 1) continue
      const bit = signatureBit(gram)
      signature[bit >>> 5] = (signature[bit >>> 5] ?? 0) | (1 << (bit & 31))
    }
    addColumn(matrix, firstColumn + position)
  }
}

/** The signature of one part. Its bits are close together, which those of a column are not. */
const signature = new Uint32Array(signatureBits / 32)

/** Moves the bits of a signature to a column. */
function addColumn({ rowBytes, bits }: Matrix, column: number): void {
  const bit = 1 << (column & 7)
  for (let word = 0; word < signature.length; word += 1) {
    for (let rest = signature[word] ?? 0; rest !== 0; rest &= rest - 1) {
      const row = 32 * word + 31 - Math.clz32(rest & -rest)
      const place = row * rowBytes + (column >>> 3)
      bits[place] = (bits[place] ?? 0) | bit
    }
  }
  signature.fill(0)
}

function addMatrix(pages: PageWriter, { rowBytes, bits }: Matrix): void {
  const scratch = createWriter()
  for (let row = 0; row < signatureBits; row += 1) {
    scratch.length = 0
    const list = writeBitmap(scratch, bits, { from: row * rowBytes, to: (row + 1) * rowBytes })
    if (list !== undefined) addList(pages, firstSignatureKey + row, list)
  }
}
