import { maxListedText } from '@stithy/store'
import { laterText } from './later-text.ts'

/** What a list has read of a text. */
interface Listed {
  /** Null if it is longer than `maxListedText`. */
  text: string | null
  /** Of the whole text. */
  bytes: number | null | undefined
  /** Reads a long text, of which `maxLength` characters are shown. */
  read: () => Promise<string | null>
  /** Whether what the text belongs to is shown with when it was updated; default true. */
  isDated?: boolean
}

/** A text of a list as it is shown: a long one is read when the response is written. */
export function listedText(
  { text, bytes, read, isDated = true }: Listed,
  maxLength = Number.POSITIVE_INFINITY,
): string | null {
  const length = bytes ?? 0
  if (text !== null || length <= maxListedText) return cut(text, maxLength)
  if (maxLength === 0) return ''
  return laterText(isDated ? length : Number.NaN, async () => cut(await read(), maxLength))
}

/** Never ends in the middle of a character. */
function cut(text: string | null, maxLength: number): string | null {
  if (text === null || text.length <= maxLength) return text
  const start = text.slice(0, maxLength)
  return /[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start
}
