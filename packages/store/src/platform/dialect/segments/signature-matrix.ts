import { createWriter } from './bytes.ts'
import { columnPart, type PackedText } from './indexed-texts.ts'
import { writeBitmap } from './posting-list.ts'
import { addList, type PageWriter } from './posting-pages.ts'
import { firstSignatureKey, gramUnits, nextGram, signatureBit, signatureBits } from './text-keys.ts'

/** A row for each bit of a signature, with a bit for each column. */
export interface SignatureMatrix {
  rowBytes: number
  bits: Uint8Array
  /** The first of the columns whose signatures are not in `bits` yet, at most 32. */
  firstPending: number
  endPending: number
}

/** The memory is kept: what a thread drops, it holds until much more has come together. */
let keptBits = new Uint8Array()

/** Columns must be added in order, without a gap. One matrix is in use at a time. */
export function createMatrix(columns: number): SignatureMatrix {
  const rowBytes = (columns + 7) >>> 3
  const size = rowBytes * signatureBits
  if (keptBits.length < size) keptBits = new Uint8Array(size)
  pending.fill(0)
  return { rowBytes, bits: keptBits, firstPending: 0, endPending: 0 }
}

/** Sets the bits of the parts of a text, whose columns start at `firstColumn`. */
export function addSignature(
  matrix: SignatureMatrix,
  firstColumn: number,
  units: Uint16Array,
  { length }: Pick<PackedText, 'length'>,
): void {
  for (let position = 0, isLast = false; !isLast; position += 1) {
    const { start, end } = columnPart(length, position)
    isLast = end === length
    sign(units, start, end)
    addColumn(matrix, firstColumn + position)
  }
}

/** The signature of one part. */
const signature = new Uint32Array(signatureBits / 32)

/** Adds the parts of six code units from `start` to `end`. */
function sign(units: Uint16Array, start: number, end: number): void {
  let gram = 0
  const first = Math.min(start + gramUnits - 1, end)
  for (let at = start; at < first; at += 1) gram = nextGram(gram, units[at] ?? 0, 0)
  let left = 0
  for (let at = first; at < end; at += 1) {
    gram = nextGram(gram, units[at] ?? 0, left)
    left = units[at - gramUnits + 1] ?? 0
    const bit = signatureBit(gram)
    signature[bit >>> 5] = (signature[bit >>> 5] ?? 0) | (1 << (bit & 31))
  }
}

const side = 32
/** Signatures of columns: for each word of a signature, that of 32 columns. */
const pending = new Uint32Array((side * signatureBits) / 32)

/** Adds the signature of a part to a column, which may have others already. */
function addColumn(matrix: SignatureMatrix, column: number): void {
  if (column >= matrix.firstPending + side) movePending(matrix)
  const place = column - matrix.firstPending
  for (let word = 0; word < signature.length; word += 1) {
    const at = word * side + place
    pending[at] = (pending[at] ?? 0) | (signature[word] ?? 0)
  }
  signature.fill(0)
  matrix.endPending = column + 1
}

/** Moves the signatures of up to 32 columns to the rows. */
function movePending(matrix: SignatureMatrix): void {
  const { bits, rowBytes, firstPending } = matrix
  const firstByte = firstPending >>> 3
  const bytes = Math.min(side / 8, rowBytes - firstByte)
  for (let first = 0; first < pending.length; first += side) {
    transpose(pending, first)
    let at = first * rowBytes + firstByte
    for (let row = first; row < first + side; row += 1) {
      let word = pending[row] ?? 0
      for (let byte = 0; byte < bytes; byte += 1) {
        bits[at + byte] = word
        word >>>= 8
      }
      at += rowBytes
    }
  }
  pending.fill(0)
  matrix.firstPending = firstPending + side
}

/** Transposes 32 words of 32 bits, bit `b` of word `w` to bit `w` of word `b`, by halves. */
function transpose(words: Uint32Array, first: number): void {
  let mask = 0x0000ffff
  for (let half = side / 2; half > 0; half >>>= 1, mask ^= mask << half) {
    for (let place = 0; place < side; place = ((place | half) + 1) & ~half) {
      const low = first + place
      const high = low + half
      const moved = (((words[low] ?? 0) >>> half) ^ (words[high] ?? 0)) & mask
      words[high] = (words[high] ?? 0) ^ moved
      words[low] = (words[low] ?? 0) ^ (moved << half)
    }
  }
}

/** Adds the lists of the rows. */
export function addMatrix(pages: PageWriter, matrix: SignatureMatrix): void {
  const { rowBytes, bits } = matrix
  movePending(matrix)
  const scratch = createWriter()
  for (let row = 0; row < signatureBits; row += 1) {
    scratch.length = 0
    const list = writeBitmap(scratch, bits, { from: row * rowBytes, to: (row + 1) * rowBytes })
    if (list !== undefined) addList(pages, firstSignatureKey + row, list)
  }
}
