/** Bytes that are written one after the other; the array grows. */
export interface ByteWriter {
  bytes: Uint8Array
  length: number
}

export function createWriter(capacity = 1024): ByteWriter {
  return { bytes: new Uint8Array(capacity), length: 0 }
}

/** What was written, as a view that the next write may change. */
export function written({ bytes, length }: ByteWriter): Uint8Array {
  return bytes.subarray(0, length)
}

/** Makes room for more bytes. */
export function reserve(writer: ByteWriter, count: number): void {
  const needed = writer.length + count
  if (needed <= writer.bytes.length) return
  const bytes = new Uint8Array(Math.max(needed, 2 * writer.bytes.length))
  bytes.set(writer.bytes.subarray(0, writer.length))
  writer.bytes = bytes
}

export const maxVarintBytes = 8

/** Writes an integer from 0 to 2^53 - 1: seven bits in each byte, the lowest first. */
export function writeVarint(writer: ByteWriter, value: number): void {
  reserve(writer, maxVarintBytes)
  const { bytes } = writer
  let { length } = writer
  let rest = value
  while (rest >= 2 ** 31) {
    bytes[length] = (rest % 128) | 128
    length += 1
    rest = Math.floor(rest / 128)
  }
  while (rest >= 128) {
    bytes[length] = (rest & 127) | 128
    length += 1
    rest >>>= 7
  }
  bytes[length] = rest
  writer.length = length + 1
}

export function writeBytes(
  writer: ByteWriter,
  source: Uint8Array,
  start = 0,
  end = source.length,
): void {
  const count = end - start
  reserve(writer, count)
  const { bytes, length } = writer
  // A call costs more than some bytes.
  if (count > 16) bytes.set(source.subarray(start, end), length)
  else for (let at = 0; at < count; at += 1) bytes[length + at] = source[start + at] ?? 0
  writer.length = length + count
}

/** A place in bytes that are read one after the other. */
export interface ByteReader {
  readonly bytes: Uint8Array
  at: number
}

/** Reads what `writeVarint` wrote; 0 behind the end. */
export function readVarint(reader: ByteReader): number {
  const { bytes } = reader
  let byte = bytes[reader.at] ?? 0
  reader.at += 1
  if (byte < 128) return byte
  let value = byte & 127
  for (let factor = 128; byte >= 128; factor *= 128) {
    byte = bytes[reader.at] ?? 0
    reader.at += 1
    value += (byte & 127) * factor
  }
  return value
}

/** Writes any integer from -2^52 to 2^52: small ones in few bytes. */
export function writeSigned(writer: ByteWriter, value: number): void {
  writeVarint(writer, value < 0 ? -2 * value - 1 : 2 * value)
}

export function readSigned(reader: ByteReader): number {
  const value = readVarint(reader)
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}

/**
 * Gives the memory of bytes back that nobody uses any more, if nothing else is in it: a thread that
 * allocates little else would collect it much later.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  // What was handed over to a thread is empty.
  if (byteLength === 0 || byteLength !== buffer.byteLength) return
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
