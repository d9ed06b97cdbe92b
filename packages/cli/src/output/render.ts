import { cleanLine } from './clean.ts'
import { timeInWords } from './time.ts'

/** An object of a response. */
export type Json = Readonly<Record<string, unknown>>

/** The target of the output. */
export interface View {
  /** Columns of the terminal; infinite for a file or a pipe. */
  width: number
  /** Milliseconds since the epoch, to show timestamps in words; otherwise they stay exact. */
  now?: number
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields that represent a nested object in one word, in order of preference. */
const titles = [
  'username',
  'full_path',
  'path_with_namespace',
  'name',
  'title',
  'short_id',
  'iid',
  'id',
]

/** A value as one line of text; empty if it has nothing to show. */
export function cellOf(value: unknown, view?: View): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) {
    return value
      .map((item) => cellOf(item, view))
      .filter(Boolean)
      .join(', ')
  }
  if (!isObject(value)) return textOf(value, view)
  const title = titles.find(
    (name) => typeof value[name] === 'string' || typeof value[name] === 'number',
  )
  return title === undefined ? '' : cleanLine(String(value[title]))
}

function textOf(value: unknown, view: View | undefined): string {
  const text = String(value)
  const words = view?.now === undefined ? undefined : timeInWords(text, view.now)
  return words ?? cleanLine(text)
}

/** An object as aligned lines of name and value; nested fields are named `outer.inner`. */
export function renderRecord(record: Json, view: View): string {
  const pairs = flatten(record, '', view)
  const width = Math.max(0, ...pairs.map(([name]) => name.length))
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd()).join('\n')
}

function flatten(record: Json, prefix: string, view: View): [string, string][] {
  return Object.entries(record).flatMap(([key, value]): [string, string][] => {
    const name = prefix + cleanLine(key)
    return isObject(value) ? flatten(value, `${name}.`, view) : [[name, lineOf(value, view)]]
  })
}

function lineOf(value: unknown, view: View): string {
  if (Array.isArray(value) && value.some((item) => typeof item === 'object')) {
    return cleanLine(JSON.stringify(value))
  }
  return cellOf(value, view)
}
