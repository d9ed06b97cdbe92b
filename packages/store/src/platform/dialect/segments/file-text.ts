import { isAscii, isUtf8 } from 'node:buffer'
// The index of the package would load all of it in each thread.
import { foldCase } from '@stithy/core/fold-case'

const bigEndian = Buffer.from([0xfe, 0xff])
const littleEndian = Buffer.from([0xff, 0xfe])

/**
 * The text of a file: UTF-16 with a byte order mark, UTF-8, or else ISO 8859-1; undefined if it is
 * binary, which is what has a NUL character.
 */
export function decodeText(content: Buffer): string | undefined {
  if (!isText(content)) return undefined
  return isUtf16(content)
    ? decodeUtf16(content)
    : content.toString(isUtf8(content) ? 'utf8' : 'latin1')
}

/** Whether a file has a text, that is, no NUL character. */
export function isText(content: Buffer): boolean {
  return isUtf16(content) ? !decodeUtf16(content).includes('\0') : !content.includes(0)
}

function isUtf16(content: Buffer): boolean {
  if (content.length % 2 !== 0) return false
  const mark = content.subarray(0, 2)
  return mark.equals(littleEndian) || mark.equals(bigEndian)
}

function decodeUtf16(content: Buffer): string {
  const rest = content.subarray(2)
  const isSwapped = content.subarray(0, 2).equals(bigEndian)
  const bytes = isSwapped ? Buffer.from(rest).swap16() : rest
  return bytes.toString('utf16le').toWellFormed()
}

/** The text of a file in lower case; empty if it is binary. */
export function foldedText(content: Buffer): string {
  return foldCase(decodeText(content) ?? '')
}

/**
 * The code units of the text of a file in lower case: a byte for each, or two. What is ASCII is
 * changed in place, and no text is made of it.
 */
export function foldedUnits(content: Buffer): { length: number; bytes: Uint8Array } {
  if (isAscii(content)) {
    for (let at = 0; at < content.length; at += 1) {
      const byte = content[at] ?? 0
      if (byte >= upperA && byte <= upperZ) content[at] = byte | 32
    }
    return { length: content.length, bytes: content }
  }
  return unitsOf(foldedText(content))
}

const upperA = 0x41
const upperZ = 0x5a

const needsTwoBytes = /[\u0100-\uffff]/

/** The code units of a text: a byte for each if that suffices, or else two. */
export function unitsOf(text: string): { length: number; bytes: Uint8Array } {
  const encoding = needsTwoBytes.test(text) ? 'utf16le' : 'latin1'
  return { length: text.length, bytes: Buffer.from(text, encoding) }
}
