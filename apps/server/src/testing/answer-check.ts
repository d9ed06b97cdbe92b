import { isDeepStrictEqual } from 'node:util'
import type { EndpointSpec } from '@stithy/core'

/**
 * Checks an answer against its contract: the status is declared, the body parses, and no field is
 * missing in the schema. All tests use it, so any test that gets a leaked field fails.
 */
export function checkAnswer(endpoint: EndpointSpec, status: number, text: string): void {
  const where = `${endpoint.method} ${endpoint.path} ${status}`
  const schema = endpoint.response[status]
  if (schema === undefined) throw new Error(`${where}: the contract does not declare this status`)
  if (schema === null) throw new Error(`${where}: the contract declares no body`)
  const body: unknown = JSON.parse(text)
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new Error(`${where}: ${parsed.error.message}`)
  if (!isDeepStrictEqual(parsed.data, body)) {
    throw new Error(
      `${where}: fields that the contract does not declare: ${difference(body, parsed.data)}`,
    )
  }
}

/** Paths that only one of the values has. */
function difference(left: unknown, right: unknown, path = ''): string {
  if (typeof left !== 'object' || left === null) return isDeepStrictEqual(left, right) ? '' : path
  const other = (typeof right === 'object' && right !== null ? right : {}) as Record<
    string,
    unknown
  >
  return Object.entries(left)
    .map(([key, value]) => difference(value, other[key], `${path}.${key}`))
    .filter((text) => text !== '')
    .join(', ')
}
