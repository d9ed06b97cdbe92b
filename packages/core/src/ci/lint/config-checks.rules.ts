import {
  type Check,
  firstError,
  isMap,
  isString,
  isStringList,
  quoted,
  unknownKeysError,
} from './config-values.rules.ts'
import { isDuration } from './duration.rules.ts'

/** The check of each key of a mapping; others are not allowed. */
export type KeyChecks = Readonly<Record<string, Check>>

/** Maximum nesting of lists of commands. */
const maxCommandDepth = 10

const config = (is: (value: unknown) => boolean, should: string): Check => {
  return (value, at) => (is(value) ? undefined : `${at} config ${should}`)
}

/** Checks that hold for the key itself: `jobs:test tags should be an array of strings`. */
const attribute = (is: (value: unknown) => boolean, should: string): Check => {
  return (value, at) => {
    if (is(value)) return undefined
    const end = at.lastIndexOf(':')
    const key = at.slice(end + 1).replaceAll('_', ' ')
    return end < 0 ? `${key} ${should}` : `${at.slice(0, end)} ${key} ${should}`
  }
}

export const anything: Check = () => undefined
export const aString = config(isString, 'should be a string')
export const aBoolean = attribute(
  (value) => typeof value === 'boolean',
  'should be a boolean value',
)
export const strings = config(isStringList, 'should be an array of strings')
export const aHash = config(isMap, 'should be a hash')
export const text = attribute(isString, 'should be a string')
export const nonBlank = attribute(
  (value) => isString(value) && value.trim() !== '',
  "can't be blank",
)
export const stringsOf = attribute(isStringList, 'should be an array of strings')
export const stringOrStrings = config(
  (value) => isString(value) || isStringList(value),
  'should be a string or an array of strings',
)
export const duration = attribute(isDuration, 'should be a duration')

/** A text, a list of texts, or lists in lists, as anchors make them. */
export const commands: Check = config(
  isCommands,
  'should be a string or a nested array of strings up to 10 levels deep',
)

function isCommands(value: unknown): boolean {
  if (isString(value)) return true
  if (!Array.isArray(value)) return false
  let level: readonly unknown[] = value
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxCommandDepth || !level.every((part) => isString(part) || Array.isArray(part))) {
      return false
    }
    level = level.filter((part) => Array.isArray(part)).flat()
  }
  return true
}

/** One of some words. */
export function oneOfWords(...words: readonly string[]): Check {
  return attribute(
    (value) => isString(value) && words.includes(value),
    `should be one of: ${words.join(', ')}`,
  )
}

/** A whole number within bounds. */
export function numberBetween(min: number, max: number): Check {
  return (value, at) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      return config(() => false, 'should be an integer')(value, at)
    }
    if (value < min) return `${at} config must be greater than or equal to ${min}`
    return value > max ? `${at} config must be less than or equal to ${max}` : undefined
  }
}

/** A mapping with these keys alone. */
export function hashOf(keys: KeyChecks, required: readonly string[] = []): Check {
  const known = new Set(Object.keys(keys))
  return (value, at) => {
    if (!isMap(value)) return `${at} config should be a hash`
    return (
      unknownKeysError(value, known, `${at} config`) ??
      firstError(
        required.map((key) =>
          value[key] === undefined ? `${at} ${key} can't be blank` : undefined,
        ),
      ) ??
      firstError(
        Object.entries(value).map(([key, inner]) =>
          inner === null ? undefined : keys[key]?.(inner, `${at}:${key}`),
        ),
      )
    )
  }
}

/** A list whose elements pass a check; or one such element, if `single`. */
export function listOf(check: Check, should: string, single = false): Check {
  return (value, at) => {
    if (Array.isArray(value)) return firstError(value.map((element) => check(element, at)))
    return single ? check(value, at) : `${at} config ${should}`
  }
}

/** A text, or a mapping that passes a check. */
export function stringOr(hash: Check, should = 'should be a hash or a string'): Check {
  return (value, at) => {
    if (isString(value)) return value.trim() === '' ? `${at} config can't be blank` : undefined
    return isMap(value) ? hash(value, at) : `${at} config ${should}`
  }
}

/** Names and values of variables. */
export const variables: Check = (value, at) => {
  const error = `${at} config should be a hash of key value pairs`
  if (!isMap(value)) return error
  const isScalar = (one: unknown) => isString(one) || typeof one === 'number'
  const isGiven = (one: unknown) =>
    one === null ||
    isScalar(one) ||
    (isMap(one) && (one.value === undefined || isScalar(one.value)))
  return Object.values(value).every(isGiven) ? undefined : error
}

/** `/pattern/`; of the pattern itself only the form is checked. */
export const aPattern: Check = (value, at) =>
  isString(value) && value.length > 2 && value.startsWith('/') && value.endsWith('/')
    ? undefined
    : `${at} config must be a regular expression`

/** An address on the web, in which variables may stand for anything. */
export const address: Check = (value, at) => {
  const isAddress = isString(value) && (value.includes('$') || /^https?:\/\/[^\s/]/i.test(value))
  return isAddress ? undefined : `${at.slice(0, at.lastIndexOf(':'))} url must be a valid url`
}

/** The error of a name that is too long, if it is. */
export function nameError(name: string): string | undefined {
  return name.length > 255 ? `jobs:${quoted(name)} config name is too long` : undefined
}
