import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

// Packs that no client would write, in the format of gitformat-pack(5).

const types = { commit: 1, tree: 2, blob: 3 }
const offsetDelta = 6
const maxCopy = 0xff_ff_ff

/** One object of a pack: its content, or a delta against an earlier one. */
export type PackedObject =
  | { type: keyof typeof types; content: Buffer }
  | { base: number; delta: Buffer }

/** The header of an object: its type, and its size in bytes. */
function header(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80
    bytes.push(rest & 127)
  }
  return Buffer.from(bytes)
}

function distance(bytes: number): Buffer {
  const digits = [bytes & 127]
  for (let rest = Math.floor(bytes / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1
    digits.unshift(0x80 | (rest & 127))
  }
  return Buffer.from(digits)
}

/** A pack of the given objects. */
export function buildPack(objects: readonly PackedObject[]): Buffer {
  const head = Buffer.alloc(12)
  head.write('PACK')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(objects.length, 8)
  const parts: Buffer[] = [head]
  const starts: number[] = []
  let at = head.length
  for (const object of objects) {
    starts.push(at)
    const bytes = 'content' in object ? whole(object) : delta(object, at, starts)
    parts.push(bytes)
    at += bytes.length
  }
  const pack = Buffer.concat(parts)
  return Buffer.concat([pack, createHash('sha1').update(pack).digest()])
}

function whole({ type, content }: { type: keyof typeof types; content: Buffer }): Buffer {
  return Buffer.concat([header(types[type], content.length), deflateSync(content)])
}

function delta(object: { base: number; delta: Buffer }, at: number, starts: number[]): Buffer {
  const back = distance(at - (starts[object.base] ?? 0))
  return Buffer.concat([header(offsetDelta, object.delta.length), back, deflateSync(object.delta)])
}

function size(bytes: number): number[] {
  const digits: number[] = []
  for (let rest = bytes; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...digits, rest]
    digits.push(0x80 | (rest & 127))
  }
}

function copy(from: number, length: number): number[] {
  const digits = [0, 1, 2, 3].map((digit) => (from >>> (8 * digit)) & 255)
  const lengths = [0, 1, 2].map((digit) => (length >>> (8 * digit)) & 255)
  const command = [...digits, ...lengths].reduce(
    (bits, byte, index) => (byte > 0 ? bits | (1 << index) : bits),
    0x80,
  )
  return [command, ...[...digits, ...lengths].filter((byte) => byte > 0)]
}

/** A delta of a few bytes whose result is the start of its base, as often as `resultBytes` takes. */
export function repeatingDelta(baseBytes: number, resultBytes: number): Buffer {
  const commands = [...size(baseBytes), ...size(resultBytes)]
  const most = Math.min(baseBytes, maxCopy)
  for (let left = resultBytes; left > 0; left -= most)
    commands.push(...copy(0, Math.min(left, most)))
  return Buffer.from(commands)
}

/** A delta that copies its base and appends a byte to it. */
export function appendingDelta(baseBytes: number): Buffer {
  const commands = [...size(baseBytes), ...size(baseBytes + 1)]
  for (let at = 0; at < baseBytes; at += maxCopy) {
    commands.push(...copy(at, Math.min(maxCopy, baseBytes - at)))
  }
  return Buffer.from([...commands, 1, 0x78])
}
