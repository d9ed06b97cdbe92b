import { setImmediate } from 'node:timers/promises'

/** In characters; writing a megabyte as JSON takes about four milliseconds. */
const longText = 1024 * 1024
const sliceLength = 256 * 1024

/** Whether a value is an object with a text at its top level that takes long to write as JSON. */
export function hasLongText(body: unknown): body is Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false
  for (const key in body) {
    const value = (body as Record<string, unknown>)[key]
    if (typeof value === 'string' && value.length > longText) return true
  }
  return false
}

/** Writes an object as JSON in UTF-8, in chunks that others get their turn between. */
export async function encodeLongJson(body: Record<string, unknown>): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  let separator = '{'
  for (const [key, value] of Object.entries(body)) {
    if (value === undefined) continue
    chunks.push(Buffer.from(`${separator}${JSON.stringify(key)}:`))
    separator = ','
    if (typeof value === 'string') await encodeText(value, chunks)
    else chunks.push(Buffer.from(JSON.stringify(value)))
  }
  chunks.push(Buffer.from(separator === '{' ? '{}' : '}'))
  return chunks
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
