import { setImmediate } from 'node:timers/promises'

/** In characters; writing a megabyte as JSON takes about four milliseconds. */
const longText = 1024 * 1024
const sliceLength = 256 * 1024

/** An object, or a list of them, that takes long to write as JSON. */
export type LongBody = Record<string, unknown> | readonly unknown[]

/**
 * Whether the texts of an object at its top level are long together, or those of the objects in a
 * list, on their first two levels.
 */
export function hasLongText(body: unknown): body is LongBody {
  if (!Array.isArray(body)) return lengthOf(body, 1) > longText
  let length = 0
  for (const element of body) length += lengthOf(element, 2)
  return length > longText
}

/** The length of the texts of an object on some levels, in characters; lists within it are no level. */
function lengthOf(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 0
  let length = 0
  if (Array.isArray(value)) {
    for (const element of value) length += lengthOf(element, levels)
    return length
  }
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    if (typeof inner === 'string') length += inner.length
    else if (levels > 1) length += lengthOf(inner, levels - 1)
  }
  return length
}

/** Writes a body as JSON in UTF-8, in chunks that others get their turn between. */
export async function encodeLongJson(body: LongBody): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  if (isList(body)) await encodeList(body, chunks)
  else await encodeObject(body, chunks)
  return chunks
}

function isList(body: LongBody): body is readonly unknown[] {
  return Array.isArray(body)
}

async function encodeList(list: readonly unknown[], chunks: Buffer[]): Promise<void> {
  if (list.length === 0) chunks.push(Buffer.from('['))
  let separator = '['
  for (const element of list) {
    chunks.push(Buffer.from(separator))
    separator = ','
    if (!Array.isArray(element) && lengthOf(element, 1) > sliceLength) {
      await encodeObject(element as Record<string, unknown>, chunks)
      continue
    }
    chunks.push(Buffer.from(JSON.stringify(element ?? null)))
    await setImmediate()
  }
  chunks.push(Buffer.from(']'))
}

async function encodeObject(body: Record<string, unknown>, chunks: Buffer[]): Promise<void> {
  let separator = '{'
  for (const [key, value] of Object.entries(body)) {
    if (value === undefined) continue
    chunks.push(Buffer.from(`${separator}${JSON.stringify(key)}:`))
    separator = ','
    if (typeof value === 'string' && value.length > sliceLength) await encodeText(value, chunks)
    else chunks.push(Buffer.from(JSON.stringify(value)))
  }
  chunks.push(Buffer.from(separator === '{' ? '{}' : '}'))
}

/** A pair of surrogates that is cut in two is escaped, which reads the same. */
async function encodeText(text: string, chunks: Buffer[]): Promise<void> {
  chunks.push(Buffer.from('"'))
  for (let start = 0; start < text.length; start += sliceLength) {
    const slice = JSON.stringify(text.slice(start, start + sliceLength))
    chunks.push(Buffer.from(slice.slice(1, -1)))
    await setImmediate()
  }
  chunks.push(Buffer.from('"'))
}
