import { GitError } from '../git-error.ts'

/** The packet that ends a section. */
export const flushPacket = Buffer.from('0000')

/** The maximum number of bytes in one packet. */
const maxPacketData = 65_516

/** One packet in git's pkt-line format: four hexadecimal digits of length, then the data. */
export function packet(data: string | Buffer): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  const length = (bytes.length + 4).toString(16).padStart(4, '0')
  return Buffer.concat([Buffer.from(length), bytes])
}

/** A parsed packet: its data (undefined for a flush) and the offset of the next one. */
export interface ReadPacket {
  data: Buffer | undefined
  next: number
}

/** Reads the packet at an offset; undefined if it is incomplete, an error if it is malformed. */
export function readPacket(bytes: Buffer, at: number): ReadPacket | undefined {
  if (bytes.length < at + 4) return undefined
  const digits = bytes.toString('latin1', at, at + 4)
  const length = /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : -1
  if (length === 0) return { data: undefined, next: at + 4 }
  if (length < 4) throw new GitError('invalid', `not a packet length: ${JSON.stringify(digits)}`)
  if (bytes.length < at + length) return undefined
  return { data: bytes.subarray(at + 4, at + length), next: at + length }
}

/** Splits data into packets of one side-band (1 data, 2 progress, 3 fatal error). */
export function sideBand(band: 1 | 2 | 3, data: Buffer): Buffer {
  const packets: Buffer[] = []
  for (let at = 0; at < data.length; at += maxPacketData - 1) {
    const part = data.subarray(at, at + maxPacketData - 1)
    packets.push(packet(Buffer.concat([Buffer.from([band]), part])))
  }
  return Buffer.concat(packets)
}
