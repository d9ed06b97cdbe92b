import { type EndpointSpec, inputName, pathParameters } from '@stithy/core'
import { StithyError } from './stithy-error.ts'

/** One encoded request. */
export interface WireRequest {
  method: string
  /** Relative to `/api/v4`, percent-encoded. */
  path: string
  /** Without its `?`; empty if there is none. */
  query: string
  body?: string | FormData
  /** The caller reads the response's body. */
  raw: boolean
}

type Input = Readonly<Record<string, unknown>>

/**
 * Splits a flat input into path, query and body: reads and DELETE send their parameters in the
 * query, other writes, and DELETE with secrets, as JSON, or as a multipart form if there is a file.
 * @throws StithyError `invalid_parameter` if a path parameter can't be part of a path.
 */
export function encodeRequest(endpoint: EndpointSpec, input: Input): WireRequest {
  const { method } = endpoint
  const names = new Set(pathParameters(endpoint.path).map(({ input: name }) => name))
  const path = encodePath(endpoint, input)
  const rest = Object.entries(input).filter(
    ([name, value]) => !names.has(name) && value !== undefined,
  )
  const request: WireRequest = { method, path, query: '', raw: endpoint.kind === 'raw' }
  if (rest.length === 0) return request
  if (method === 'GET' || (method === 'DELETE' && endpoint.body === undefined)) {
    return { ...request, query: encodeQuery(rest, { method, path }) }
  }
  const isForm = rest.some(([, value]) => value instanceof Blob)
  return { ...request, body: isForm ? encodeForm(rest) : JSON.stringify(Object.fromEntries(rest)) }
}

function encodePath(endpoint: EndpointSpec, input: Input): string {
  const fail = (name: string, problem: string) => {
    const call = { method: endpoint.method, path: endpoint.path }
    return new StithyError('invalid_parameter', `${name} ${problem}`, call)
  }
  return endpoint.path.replace(/:(\w+)/g, (_, wire: string) => {
    const name = inputName(endpoint.path, wire)
    const value = input[name]
    if (value === undefined || value === null) throw fail(name, 'is missing')
    const text = String(value)
    if (text === '') throw fail(name, 'is empty')
    // URLs resolve these two even if percent-encoded: the call would reach another endpoint.
    if (text === '.' || text === '..' || !text.isWellFormed()) throw fail(name, 'is invalid')
    return encodeURIComponent(text)
  })
}

function encodeQuery(entries: [string, unknown][], call: { method: string; path: string }): string {
  const pairs: string[] = []
  for (const [name, value] of entries.flatMap(([name, value]) => [...spread(name, value)])) {
    const text = String(value)
    if (!name.isWellFormed() || !text.isWellFormed()) {
      throw new StithyError('invalid_parameter', `${name.toWellFormed()} is invalid`, call)
    }
    pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
  }
  return pairs.join('&')
}

function encodeForm(entries: [string, unknown][]): FormData {
  const form = new FormData()
  for (const [name, value] of entries.flatMap(([name, value]) => [...spread(name, value)])) {
    form.append(name, value)
  }
  return form
}

/** Lists as `name[]`, maps as `name[key]`, null and an empty list as an empty value. */
function* spread(name: string, value: unknown): Generator<[string, string | File]> {
  if (value === undefined) return
  if (value === null) yield [name, '']
  else if (value instanceof Blob) yield [name, asFile(value)]
  else if (Array.isArray(value)) {
    if (value.length === 0) yield [`${name}[]`, '']
    for (const item of value) yield* spread(`${name}[]`, item)
  } else if (typeof value !== 'object') yield [name, String(value)]
  else for (const [key, item] of Object.entries(value)) yield* spread(`${name}[${key}]`, item)
}

function asFile(value: Blob): File {
  return value instanceof File ? value : new File([value], 'file', { type: value.type })
}
