import type { IncomingHttpHeaders } from 'node:http'

/** The first and the last byte of a part. */
export interface ByteRange {
  start: number
  end: number
}

/** One range; a list of several is answered with all bytes, as RFC 9110, 14.2 allows. */
const singleRange = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i

/**
 * The range that a request asks for by `Range` and `If-Range` (RFC 9110, 13.1.5 and 14.1.2);
 * undefined if all bytes are to be sent.
 */
export function requestedRange(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  etag: string,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  // A date never matches: these bytes have none.
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined
  const [, first = '', last = ''] = singleRange.exec(range) ?? []
  if (first === '') return last === '' ? undefined : suffix(Number(last), size)
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start < size ? { start, end } : 'unsatisfiable'
}

/** The last bytes; no header can state an empty range. */
function suffix(length: number, size: number): ByteRange | 'unsatisfiable' | undefined {
  if (length === 0) return 'unsatisfiable'
  return size === 0 ? undefined : { start: Math.max(0, size - length), end: size - 1 }
}
