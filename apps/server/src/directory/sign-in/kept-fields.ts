import { csrfName } from '@stithy/web'
import type { Params } from '../../platform/http/nested-params.ts'

/** A form that is shown again as it was sent. */
export interface KeptForm {
  fields: readonly KeptField[]
  /** Whether nothing was left out: no file, no secret, no text that is too long. */
  isWhole: boolean
}

interface KeptField {
  /** As the form sends it: `merge_request[title]`. */
  name: string
  value: string
}

/** Characters of all values that are shown again. */
const maxLength = 1_100_000
/** Fields that are shown again. */
const maxFields = 500

/** Names of fields whose values are never shown again, and of addresses that may have a password. */
const secretName = /password|token|secret|key|certificate|code|otp|import_url/i

/**
 * The texts that a form has sent, but for secrets.
 * @param fields what was sent, with the query; undefined if it was not read
 * @param query of the address that it was sent to
 */
export function keepForm(fields: Params | undefined, query: Params): KeptForm {
  if (fields === undefined) return { fields: [], isWhole: false }
  const kept: KeptField[] = []
  let isWhole = true
  let length = 0
  for (const [name, value] of flatten(fields, query)) {
    if (name === csrfName) continue
    const isKept = typeof value === 'string' && (value === '' || !isSecret(name))
    length += isKept ? value.length : 0
    if (isKept && length <= maxLength && kept.length < maxFields) kept.push({ name, value })
    else isWhole = false
  }
  return { fields: kept, isWhole }
}

/** `personal_access_token[name]` is the name of a token, and no token. */
function isSecret(name: string): boolean {
  const own = name.split(/[[\]]+/).findLast((part) => part !== '')
  return secretName.test(own ?? name)
}

/** The values with the names that forms give them. */
function* flatten(fields: Params, query: Params): Generator<[name: string, value: unknown]> {
  for (const [name, value] of Object.entries(fields)) {
    if (value !== query[name]) yield* namedValues(name, value)
  }
}

function* namedValues(name: string, value: unknown): Generator<[name: string, value: unknown]> {
  if (Array.isArray(value)) {
    for (const each of value) yield* namedValues(`${name}[]`, each)
  } else if (typeof value === 'object' && value !== null && !(value instanceof File)) {
    for (const [key, each] of Object.entries(value)) yield* namedValues(`${name}[${key}]`, each)
  } else yield [name, value]
}
