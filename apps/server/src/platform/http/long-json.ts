import { takeTurn } from '../threads/take-turn.ts'
import { LaterText } from './later-text.ts'

/** In characters; to write as many as JSON takes one to six milliseconds, depending on the letters. */
const sliceLength = 256 * 1024

/**
 * Levels of an object on which long texts are looked for: a to-do has them in the milestone of its
 * issue.
 */
const levelsOfTexts = 3

/** An object, or a list of them, that takes long to write as JSON. */
export type LongBody = Record<string, unknown> | readonly unknown[]

/** A part of a response as JSON; a long text that is not read yet stands for itself. */
export type JsonChunk = Buffer | LaterText

/**
 * Whether the texts of an object on its first three levels are long together, or those of the objects
 * in a list. Texts that are read later are long.
 */
export function hasLongText(body: unknown): body is LongBody {
  if (!Array.isArray(body)) return lengthOf(body, levelsOfTexts) > sliceLength
  let length = 0
  for (const element of body) length += lengthOf(element, levelsOfTexts)
  return length > sliceLength
}

/** The length of the texts of an object on some levels, in characters; lists within it are no level. */
function lengthOf(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 0
  let length = 0
  if (Array.isArray(value)) {
    for (const element of value) {
      length += typeof element === 'string' ? element.length : lengthOf(element, levels)
    }
    return length
  }
  if (levels === 0) return 0
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    if (typeof inner === 'string') length += inner.length
    else if (inner instanceof LaterText) return Number.POSITIVE_INFINITY
    else if (levels > 1 || Array.isArray(inner)) length += lengthOf(inner, levels - 1)
  }
  return length
}

/**
 * Writes a body as JSON in UTF-8, in chunks that others get their turn between. Texts that are read
 * later are left to `readChunks`.
 */
export async function encodeLongJson(body: LongBody): Promise<JsonChunk[]> {
  const writer = createWriter()
  await writeValue(writer, body, levelsOfTexts)
  writer.flush()
  return writer.chunks
}

interface Writer {
  readonly chunks: JsonChunk[]
  add: (json: string) => void
  /** Once a slice is full: a promise of the next turn. */
  turn: () => Promise<void> | undefined
  flush: () => void
}

function createWriter(): Writer {
  const chunks: JsonChunk[] = []
  let pending: string[] = []
  let length = 0
  const flush = () => {
    if (length > 0) chunks.push(Buffer.from(pending.join('')))
    pending = []
    length = 0
  }
  return {
    chunks,
    flush,
    add(json) {
      pending.push(json)
      length += json.length
    },
    turn() {
      if (length < sliceLength) return undefined
      flush()
      return takeTurn()
    },
  }
}

/** @param levels on which long texts are looked for */
async function writeValue(writer: Writer, value: unknown, levels: number): Promise<void> {
  if (value instanceof LaterText) {
    writer.flush()
    writer.chunks.push(value)
  } else if (typeof value === 'string' && value.length > sliceLength) {
    for (const slice of slicesOf(value)) {
      writer.add(slice)
      await writer.turn()
    }
  } else if (lengthOf(value, levels) <= sliceLength) {
    writer.add(JSON.stringify(value ?? null))
    await writer.turn()
  } else if (Array.isArray(value)) await writeList(writer, value, levels)
  else await writeObject(writer, value as Record<string, unknown>, levels)
}

async function writeList(writer: Writer, list: readonly unknown[], levels: number): Promise<void> {
  let separator = '['
  for (const element of list) {
    writer.add(separator)
    separator = ','
    // Of a hundred thousand short ones, none is waited for on its own.
    if (typeof element === 'string' && element.length <= sliceLength) {
      writer.add(JSON.stringify(element))
      const turn = writer.turn()
      if (turn !== undefined) await turn
    } else await writeValue(writer, element, levels)
  }
  writer.add(']')
}

async function writeObject(
  writer: Writer,
  body: Record<string, unknown>,
  levels: number,
): Promise<void> {
  let separator = '{'
  for (const [key, value] of Object.entries(body)) {
    if (value === undefined) continue
    writer.add(`${separator}${JSON.stringify(key)}:`)
    separator = ','
    await writeValue(writer, value, levels - 1)
  }
  writer.add('}')
}

/** A text as JSON. A pair of surrogates that is cut in two is escaped, which reads the same. */
function* slicesOf(text: string): Generator<string> {
  yield '"'
  for (let start = 0; start < text.length; start += sliceLength) {
    yield JSON.stringify(text.slice(start, start + sliceLength)).slice(1, -1)
  }
  yield '"'
}

/** The bytes of chunks, of which texts that are read later are read one at a time. */
export async function* readChunks(chunks: readonly JsonChunk[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) {
    if (!(chunk instanceof LaterText)) {
      yield chunk
      continue
    }
    await takeTurn()
    const text = await chunk.read()
    for (const slice of text === null ? ['null'] : slicesOf(text)) {
      yield Buffer.from(slice)
      await takeTurn()
    }
  }
}
