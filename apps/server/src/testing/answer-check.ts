import { isDeepStrictEqual } from 'node:util'
import type { EndpointSpec } from '@stithy/core'

/**
 * Holds an answer to its contract: the status is declared, the body parses, and no field goes out that
 * the schema does not name. Tests run with it, so a leaking field fails whichever test meets it.
 */
export function checkAnswer(endpoint: EndpointSpec, status: number, text: string): void {
  const where = `${endpoint.method} ${endpoint.path} ${status}`
  const schema = endpoint.response[status]
  if (schema === undefined) throw new Error(`${where}: the contract does not name this status`)
  if (schema === null) throw new Error(`${where}: the contract promises no body`)
  const body: unknown = JSON.parse(text)
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new Error(`${where}: ${parsed.error.message}`)
  if (!isDeepStrictEqual(parsed.data, body)) {
    throw new Error(
      `${where}: fields that the contract does not name: ${difference(body, parsed.data)}`,
    )
  }
}

/** Paths that one value has and the other has not. */
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
