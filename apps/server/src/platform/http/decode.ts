import { type EndpointSpec, invalidParameter, tooLong } from '@stithy/core'
import type { PageRequest } from '@stithy/store'
import type { z } from 'zod'
import type { Tier } from '../config/config.ts'
import { compileConstraints } from './constraints.ts'
import { type Keyset, readKeyset } from './keyset.ts'
import type { Params } from './nested-params.ts'
import { compileNormalizer } from './normalize.ts'

/** Typed input of one request. */
interface DecodedInput {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown>
  sent: ReadonlySet<string>
  page: PageRequest
  keyset: Keyset | undefined
}

export type Decode = (params: Params, raw: Params) => DecodedInput

const nothing: Record<string, unknown> = Object.freeze({})
const noNames: ReadonlySet<string> = new Set()
const firstPage: PageRequest = Object.freeze({ page: 1, perPage: 20 })

/** Maximum page size; a larger `per_page` is reduced to it. */
const maxPerPage = 100

/** Compiles the decoder of an endpoint: path, query and body parameters to typed input. */
export function compileDecoder(endpoint: EndpointSpec, tier: Tier): Decode {
  const readPath = compilePathDecoder(endpoint, tier)
  const readQuery = objectReader(endpoint.query, tier)
  const readBody = objectReader(endpoint.body, tier)
  const hasBody = endpoint.body !== undefined
  const paginated = endpoint.paginated === true
  const constrain = compileConstraints(endpoint, tier)
  return (params, raw) => {
    const input = {
      params: readPath(params),
      query: readQuery?.(raw) ?? nothing,
      body: readBody?.(raw) ?? nothing,
      sent: hasBody ? new Set(Object.keys(raw)) : noNames,
      page: paginated ? readPage(raw) : firstPage,
      keyset: paginated ? readKeyset(endpoint, raw) : undefined,
    }
    constrain?.(raw, endpoint.body === undefined ? input.query : input.body)
    return input
  }
}

/** Compiles the decoder of the path parameters alone. */
export function compilePathDecoder(
  endpoint: EndpointSpec,
  tier: Tier,
): (params: Params) => Record<string, unknown> {
  const read = objectReader(endpoint.params, tier)
  return read === undefined ? (params) => params : (params) => ({ ...params, ...read(params) })
}

type Reader = (raw: Params) => Record<string, unknown>

function objectReader(schema: z.ZodObject | undefined, tier: Tier): Reader | undefined {
  if (schema === undefined) return undefined
  const normalize = compileNormalizer(schema, tier)
  return (raw) => {
    const parsed = schema.safeParse(normalize(raw))
    if (parsed.success) return parsed.data
    throw invalidParameter(describe(parsed.error, raw))
  }
}

/** `title is missing, state does not have a valid value`: one message per parameter. */
function describe(error: z.ZodError, raw: Params): string {
  const texts = new Map<string, string>()
  for (const issue of error.issues) {
    const name = parameterName(issue.path)
    if (!texts.has(name)) texts.set(name, `${name} ${problem(issue, raw)}`)
  }
  return [...texts.values()].join(', ')
}

function parameterName(path: readonly PropertyKey[]): string {
  const [first = 'the body', ...rest] = path.filter((step) => typeof step !== 'number').map(String)
  return first + rest.map((step) => `[${step}]`).join('')
}

function problem(issue: z.core.$ZodIssue, raw: Params): string {
  const value = valueAt(raw, issue.path)
  if (value === undefined) return 'is missing'
  if (issue.code === 'too_small' && isBlank(value)) return 'is empty'
  if (issue.code === 'invalid_value') return 'does not have a valid value'
  if (issue.code === 'too_big' && issue.origin === 'string') return tooLong(Number(issue.maximum))
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    return issue.origin === 'array' ? 'is invalid' : 'does not have a valid value'
  }
  return 'is invalid'
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === ''
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return value
    value = (value as Record<PropertyKey, unknown>)[step]
  }
  return value
}

function readPage(raw: Params): PageRequest {
  return {
    page: readPositive(raw, 'page', 1),
    perPage: Math.min(readPositive(raw, 'per_page', 20), maxPerPage),
  }
}

function readPositive(raw: Params, name: string, fallback: number): number {
  const value = raw[name]
  if (value === undefined || value === '') return fallback
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^-?\d{1,15}$/.test(text)) {
    throw invalidParameter(`${name} is invalid`)
  }
  if (Number(text) < 1) throw invalidParameter(`${name} does not have a valid value`)
  return Math.min(Number(text), maxPage)
}

/** No list has as many pages, and offsets up to it are exact integers. */
const maxPage = 1_000_000_000
