import { cleanLine } from './clean.ts'

/** An object of an answer. */
export type Json = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What stands for a nested object where there is room for one word. */
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

/** A value as one line of text; empty where it has nothing to show. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(cellOf).filter(Boolean).join(', ')
  if (!isObject(value)) return cleanLine(String(value))
  const title = titles.find(
    (name) => typeof value[name] === 'string' || typeof value[name] === 'number',
  )
  return title === undefined ? '' : cleanLine(String(value[title]))
}

/** An object as aligned lines of name and value; what is nested stands under `outer.inner`. */
export function renderRecord(record: Json): string {
  const pairs = flatten(record, '')
  const width = Math.max(0, ...pairs.map(([name]) => name.length))
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd()).join('\n')
}

function flatten(record: Json, prefix: string): [string, string][] {
  return Object.entries(record).flatMap(([key, value]): [string, string][] => {
    const name = prefix + cleanLine(key)
    return isObject(value) ? flatten(value, `${name}.`) : [[name, lineOf(value)]]
  })
}

function lineOf(value: unknown): string {
  if (Array.isArray(value) && value.some((item) => typeof item === 'object')) {
    return cleanLine(JSON.stringify(value))
  }
  return typeof value === 'string' ? cleanLine(value) : cellOf(value)
}
