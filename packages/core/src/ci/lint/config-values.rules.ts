import { maxConfigurationDepth, maxConfigurationValues } from './ci-limits.rules.ts'

/** A mapping of a configuration, as YAML parsers give it. */
export type ConfigMap = Readonly<Record<string, unknown>>

/**
 * What is wrong with a value, as a sentence without its subject (`should be a string`); undefined
 * if nothing is. `at` is the path that the message starts with: `jobs:test:image config`.
 */
export type Check = (value: unknown, at: string) => string | undefined

/** Whether a value is a mapping. */
export function isMap(value: unknown): value is ConfigMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** Whether a value is a list of texts, which may be empty. */
export function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isString)
}

/** A value by its own key; undefined without one. */
export function valueAt(map: ConfigMap, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined
}

/** `a: x`, which is also what a list of one text means, as a list; other values are no texts. */
export function asList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

/** A text of the configuration in a message: at most 100 characters of it. */
export function quoted(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100).toWellFormed()}...` : text
}

/** Texts of the configuration in a message: the first ten of them. */
export function someOf(texts: readonly string[]): string {
  return texts.slice(0, 10).map(quoted).join(', ')
}

/** The first error of several checks. */
export function firstError(errors: Iterable<string | undefined>): string | undefined {
  for (const error of errors) if (error !== undefined) return error
  return undefined
}

/** The error of keys that are not known, if there are any. */
export function unknownKeysError(
  map: ConfigMap,
  known: ReadonlySet<string>,
  at: string,
): string | undefined {
  const unknown = Object.keys(map).filter((key) => !known.has(key))
  if (unknown.length === 0) return undefined
  return `${at} contains unknown keys: ${someOf(unknown)}`
}

/**
 * The error of a value that has too many values or too many levels; undefined if it has few enough.
 * What several aliases stand for counts for each of them.
 */
export function sizeError(root: unknown): string | undefined {
  let level: unknown[] = [root]
  let values = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxConfigurationDepth) return 'The parsed YAML is too deep'
    const below: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      for (const child of Object.values(value)) {
        values += 1
        if (values > maxConfigurationValues) return 'The parsed YAML is too big'
        below.push(child)
      }
    }
    level = below
  }
  return undefined
}
