import { invalidParameter } from '@stithy/core'

/** Decoded parameters: texts, files, lists and maps of them. Maps have no prototype. */
export type Params = { [name: string]: unknown }

/** More names than any client sends; more of them are an attack. */
const maxNames = 20_000
const maxDepth = 8
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype'])

export function emptyParams(): Params {
  return Object.create(null) as Params
}

/**
 * Parses `a=1&b[]=2&c[d]=3&e[][f]=4&e[][g]=5` as Rails does: a repeated key starts a new element in
 * a list of maps, and the last of several plain values counts.
 * @throws DomainError `invalid_parameter` for conflicting names and names that reach into
 *   prototypes.
 */
export function parseQuery(text: string): Params {
  const params = emptyParams()
  if (text === '') return params
  let names = 0
  for (const pair of pairsOf(text)) {
    names += 1
    if (names > maxNames) throw invalidParameter('there are too many parameters')
    const split = pair.indexOf('=')
    const name = decode(split === -1 ? pair : pair.slice(0, split))
    addParam(params, name, split === -1 ? '' : decode(pair.slice(split + 1)))
  }
  return params
}

/** What is between ampersands: not split at once, since a body may consist of millions of them. */
function* pairsOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; start += 1) {
    if (text[start] === '&') continue
    const next = text.indexOf('&', start)
    const end = next === -1 ? text.length : next
    yield text.slice(start, end)
    start = end
  }
}

const parseError = Symbol('parseError')

/** Like `parseQuery`, for callers that can't handle an error: `queryError` returns it. */
export function tryParseQuery(text: string): Params {
  try {
    return parseQuery(text)
  } catch (error) {
    return Object.assign(emptyParams(), { [parseError]: error })
  }
}

/** The error of a query that could not be parsed; undefined otherwise. */
export function queryError(params: object): unknown {
  return parseError in params ? params[parseError] : undefined
}

function decode(text: string): string {
  const spaced = text.includes('+') ? withSpaces(text) : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    throw invalidParameter('the parameters are not valid percent-encoded UTF-8')
  }
}

/** Longer texts are decoded as bytes: `replaceAll` takes half a second for eight million `+`. */
const longText = 4096

function withSpaces(text: string): string {
  if (text.length <= longText) return text.replaceAll('+', ' ')
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === plus) bytes[at] = space
  }
  return bytes.toString()
}

const [plus, space] = [0x2b, 0x20]

/** Adds one value under a bracketed name such as `actions[][file_path]`. */
export function addParam(params: Params, name: string, value: unknown): void {
  if (!name.includes('[')) {
    checkName(name)
    params[name] = value
    return
  }
  const steps = splitName(name)
  insert(params, steps, value)
}

/** `a[b][]` → `['a', 'b', '']`; an empty step means "another element". */
function splitName(name: string): string[] {
  const open = name.indexOf('[')
  const steps = [name.slice(0, open)]
  const rest = name.slice(open)
  const brackets = rest.matchAll(/\[([^[\]]*)\]/g)
  let read = 0
  for (const match of brackets) {
    if (steps.length === maxDepth) throw invalidParameter('a parameter is nested too deeply')
    steps.push(match[1] ?? '')
    read += match[0].length
  }
  if (read !== rest.length || steps[0] === '') throw invalidParameter(`${show(name)} is invalid`)
  for (const step of steps) checkName(step)
  return steps
}

function checkName(name: string): void {
  if (forbiddenNames.has(name)) throw invalidParameter(`${show(name)} is invalid`)
}

function show(name: string): string {
  return name.slice(0, 60)
}

function insert(target: Params, steps: readonly string[], value: unknown): void {
  const [first = '', second, ...rest] = steps
  if (second === undefined) {
    target[first] = value
    return
  }
  if (second !== '') {
    target[first] ??= emptyParams()
    insert(asMap(target[first], first), [second, ...rest], value)
    return
  }
  target[first] ??= []
  const list = asList(target[first], first)
  if (rest.length === 0) list.push(value)
  else insert(elementFor(list, rest), rest, value)
}

/** The last element, or a new one if that already has this key. */
function elementFor(list: unknown[], steps: readonly string[]): Params {
  const last = list.at(-1)
  if (isMap(last) && !holds(last, steps)) return last
  const element = emptyParams()
  list.push(element)
  return element
}

function holds(map: Params, [first = '', ...rest]: readonly string[]): boolean {
  const value = map[first]
  if (value === undefined) return false
  if (rest.length === 0) return true
  // A list takes any number of values; only a map can have the same key already.
  return rest[0] === '' ? rest.length > 1 : isMap(value) && holds(value, rest)
}

function isMap(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null
}

function asMap(value: unknown, name: string): Params {
  if (!isMap(value)) throw invalidParameter(`${show(name)} is invalid`)
  return value
}

function asList(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value)) throw invalidParameter(`${show(name)} is invalid`)
  return value
}
