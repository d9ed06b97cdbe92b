import { createWriter, readSigned, readVarint, writeSigned, writeVarint, written } from './bytes.ts'
import { foldedUnits, unitsOf } from './file-text.ts'
import { maxSignedUnits } from './text-keys.ts'

/**
 * The texts of a segment by number, in the order in which they were added: their ids, and the
 * columns of the matrix of signatures that they have bits in.
 */
export interface IndexedTexts {
  /** No id occurs twice; in any order. */
  ids: Float64Array
  firstColumns: Uint32Array
  lastColumns: Uint32Array
  /** How many columns there are; 0 without signatures. */
  columns: number
}

/**
 * The code units that share a column, of one text or of several: with 16,384 bits for as many, a
 * fifth of the bits is set.
 */
const columnUnits = 6144
/** A part of a text that is looked up is whole in one column. */
const overlap = maxSignedUnits - 1
const columnStep = columnUnits - overlap

/** Assigns columns to texts of these lengths, in code units. */
export function assignColumns(
  lengths: readonly number[],
): Pick<IndexedTexts, 'columns' | 'firstColumns' | 'lastColumns'> {
  const firstColumns = new Uint32Array(lengths.length)
  const lastColumns = new Uint32Array(lengths.length)
  let columns = 0
  let free = 0
  for (const [number, length] of lengths.entries()) {
    if (length > free || columns === 0) {
      const added = Math.max(1, Math.ceil((length - overlap) / columnStep))
      firstColumns[number] = columns
      columns += added
      free = columnUnits - (length - (added - 1) * columnStep)
    } else {
      firstColumns[number] = columns - 1
      free -= length
    }
    lastColumns[number] = columns - 1
  }
  return { columns, firstColumns, lastColumns }
}

/** The part of a text of this length that is in one of its columns, by the column's position. */
export function columnPart(length: number, position: number): { start: number; end: number } {
  const start = position * columnStep
  return { start, end: Math.min(length, start + columnUnits) }
}

export function encodeTexts({ ids, firstColumns, lastColumns, columns }: IndexedTexts): Uint8Array {
  const out = createWriter(8 * ids.length + 16)
  writeVarint(out, ids.length)
  writeVarint(out, columns)
  let lastId = 0
  let lastColumn = 0
  for (let number = 0; number < ids.length; number += 1) {
    const id = ids[number] ?? 0
    writeSigned(out, id - lastId)
    lastId = id
    if (columns === 0) continue
    const [first, last] = [firstColumns[number] ?? 0, lastColumns[number] ?? 0]
    writeVarint(out, first - lastColumn)
    writeVarint(out, last - first)
    lastColumn = last
  }
  return written(out)
}

/** How many texts and columns there are in what `encodeTexts` returned. */
export function readCounts(encoded: Uint8Array): { texts: number; columns: number } {
  const reader = { bytes: encoded, at: 0 }
  return { texts: readVarint(reader), columns: readVarint(reader) }
}

export function decodeTexts(encoded: Uint8Array): IndexedTexts {
  const reader = { bytes: encoded, at: 0 }
  const count = Math.min(readVarint(reader), encoded.length)
  const columns = readVarint(reader)
  const ids = new Float64Array(count)
  const firstColumns = new Uint32Array(count)
  const lastColumns = new Uint32Array(count)
  let id = 0
  let column = 0
  for (let number = 0; number < count; number += 1) {
    id += readSigned(reader)
    ids[number] = id
    if (columns === 0) continue
    column += readVarint(reader)
    firstColumns[number] = column
    column += readVarint(reader)
    lastColumns[number] = column
  }
  return { ids, firstColumns, lastColumns, columns }
}

/** What a text is packed as. */
const forms = { narrow: 0, wide: 1, content: 2 } as const
const formCount = 4

/**
 * Packs texts in lower case, or contents of files, for `unpackTexts`: the thread that unpacks them
 * decodes these.
 */
export function packTexts(texts: readonly (string | Uint8Array)[]): Buffer {
  const header = createWriter(4 * texts.length + 8)
  writeVarint(header, texts.length)
  const parts: Uint8Array[] = [header.bytes]
  for (const text of texts) {
    const isContent = typeof text !== 'string'
    const { length, bytes } = isContent ? { length: text.length, bytes: text } : unitsOf(text)
    const form = isContent ? forms.content : bytes.length > length ? forms.wide : forms.narrow
    writeVarint(header, formCount * bytes.length + form)
    parts.push(bytes)
  }
  parts[0] = written(header)
  return Buffer.concat(parts)
}

/** An unpacked text; its code units have one byte each, or two. */
export interface PackedText {
  length: number
  bytes: Uint8Array
}

/** Unpacks texts in lower case; contents of files are changed in place. */
export function unpackTexts(packed: Buffer): PackedText[] {
  const reader = { bytes: packed, at: 0 }
  const headers = Array.from({ length: readVarint(reader) }, () => readVarint(reader))
  let { at } = reader
  return headers.map((header) => {
    const size = Math.floor(header / formCount)
    const form = header % formCount
    const bytes = packed.subarray(at, at + size)
    at += size
    if (form === forms.content) return foldedUnits(bytes)
    return { length: form === forms.wide ? size / 2 : size, bytes }
  })
}

/** Writes the code units of a packed text. */
export function readUnits({ length, bytes }: PackedText, units: Uint16Array): void {
  if (bytes.length === length) {
    units.set(bytes)
    return
  }
  for (let at = 0; at < length; at += 1) {
    units[at] = (bytes[2 * at] ?? 0) | ((bytes[2 * at + 1] ?? 0) << 8)
  }
}
