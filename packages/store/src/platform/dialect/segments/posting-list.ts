import { type ByteWriter, maxVarintBytes, reserve, writeBytes, writeVarint } from './bytes.ts'

/**
 * An ascending list of numbers, in the shorter of two forms: the differences of each number and the
 * one before as varints, or a bit for each number up to the last one.
 */
export interface PostingList {
  isBitmap: boolean
  /** The list is from `start` to `end`. */
  bytes: Uint8Array
  start: number
  end: number
}

/** Bytes from `from` to below `to`. */
interface ByteRange {
  from: number
  to: number
}

/** How many bits a byte has. */
const bitCounts = Uint8Array.from({ length: 256 }, (_, byte) => {
  let count = 0
  for (let rest = byte; rest > 0; rest >>>= 1) count += rest & 1
  return count
})

export function countBits(bitmap: Uint8Array): number {
  return bitmap.reduce((count, byte) => count + (bitCounts[byte] ?? 0), 0)
}

/** Whether a part of a bitmap has more bits that are set than bytes. */
function hasMoreBits(bitmap: Uint8Array, { from, to }: ByteRange): boolean {
  let missing = to - from
  for (let at = from; at < to && missing >= 0; at += 1) missing -= bitCounts[bitmap[at] ?? 0] ?? 0
  return missing < 0
}

export function hasBit(bitmap: Uint8Array, position: number): boolean {
  return ((bitmap[position >>> 3] ?? 0) & (1 << (position & 7))) !== 0
}

export function setBit(bitmap: Uint8Array, position: number): void {
  bitmap[position >>> 3] = (bitmap[position >>> 3] ?? 0) | (1 << (position & 7))
}

/** Writes the list of `numbers` from `from` to below `to`, of which there is one at least. */
export function writeNumbers(
  out: ByteWriter,
  numbers: Uint16Array | Uint32Array,
  from: number,
  to: number,
): PostingList {
  const start = out.length
  const bitmapBytes = ((numbers[to - 1] ?? 0) >>> 3) + 1
  const isBitmap = to - from > bitmapBytes
  if (isBitmap) {
    const bitmap = new Uint8Array(bitmapBytes)
    for (let at = from; at < to; at += 1) setBit(bitmap, numbers[at] ?? 0)
    writeBytes(out, bitmap)
  } else {
    let before = 0
    for (let at = from; at < to; at += 1) {
      const number = numbers[at] ?? 0
      writeVarint(out, number - before)
      before = number
    }
  }
  return { isBitmap, bytes: out.bytes, start, end: out.length }
}

/** Writes the list of the bits in a part of a bitmap; undefined if there is none. */
export function writeBitmap(
  out: ByteWriter,
  bitmap: Uint8Array,
  { from, to }: ByteRange,
): PostingList | undefined {
  let last = to - 1
  while (last >= from && bitmap[last] === 0) last -= 1
  if (last < from) return undefined
  const start = out.length
  const isBitmap = hasMoreBits(bitmap, { from, to: last + 1 })
  if (isBitmap) {
    writeBytes(out, bitmap, from, last + 1)
  } else {
    writeBits(out, bitmap, { from, to: last + 1 })
  }
  return { isBitmap, bytes: out.bytes, start, end: out.length }
}

/** Writes the differences of the bits in a part of a bitmap. */
function writeBits(out: ByteWriter, bitmap: Uint8Array, { from, to }: ByteRange): void {
  // There are at most as many bits as bytes.
  reserve(out, maxVarintBytes * (to - from))
  const { bytes } = out
  let { length } = out
  let before = 0
  for (let at = from; at < to; at += 1) {
    for (let rest = bitmap[at] ?? 0; rest !== 0; rest &= rest - 1) {
      const number = 8 * (at - from) + 31 - Math.clz32(rest & -rest)
      let difference = number - before
      before = number
      for (; difference >= 128; difference >>>= 7) {
        bytes[length] = (difference & 127) | 128
        length += 1
      }
      bytes[length] = difference
      length += 1
    }
  }
  out.length = length
}

/** Sets the bits of a list, each `offset` higher, in a bitmap that is long enough. */
export function orList(target: Uint8Array, list: PostingList, offset = 0): void {
  if (!list.isBitmap) {
    eachNumber(list, (number) => setBit(target, number + offset))
    return
  }
  const { bytes, start, end } = list
  const shift = offset & 7
  let to = offset >>> 3
  for (let at = start; at < end; at += 1) {
    const byte = (bytes[at] ?? 0) << shift
    target[to] = (target[to] ?? 0) | byte
    to += 1
    if (byte > 255) target[to] = (target[to] ?? 0) | (byte >>> 8)
  }
}

/** Calls `visit` with each number, ascending. */
export function eachNumber(list: PostingList, visit: (number: number) => void): void {
  const { bytes, start, end, isBitmap } = list
  if (isBitmap) {
    for (let at = start; at < end; at += 1) {
      for (let rest = bytes[at] ?? 0; rest !== 0; rest &= rest - 1) {
        visit(8 * (at - start) + 31 - Math.clz32(rest & -rest))
      }
    }
    return
  }
  let number = 0
  let part = 0
  let shift = 0
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    part |= (byte & 127) << shift
    if (byte >= 128) {
      shift += 7
    } else {
      number += part
      visit(number)
      part = shift = 0
    }
  }
}

/**
 * Writes lists of differences one after the other as one list, the numbers of each `offset` higher
 * and all of them above those of the list before.
 */
export function writeJoined(
  out: ByteWriter,
  parts: readonly { list: PostingList; places: { offset: number } }[],
): PostingList {
  const begin = out.length
  let last = 0
  for (const { list, places } of parts) {
    const { offset } = places
    const { bytes, start, end } = list
    let first = 0
    let at = start
    for (let shift = 0; at < end; shift += 7) {
      const byte = bytes[at] ?? 0
      first |= (byte & 127) << shift
      at += 1
      if (byte < 128) break
    }
    writeVarint(out, first + offset - last)
    writeBytes(out, bytes, at, end)
    last = lastNumber(list) + offset
  }
  return { isBitmap: false, bytes: out.bytes, start: begin, end: out.length }
}

/** The last number of a list of differences. */
function lastNumber({ bytes, start, end }: PostingList): number {
  let number = 0
  let shift = 0
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    number += (byte & 127) << shift
    shift = byte >= 128 ? shift + 7 : 0
  }
  return number
}
