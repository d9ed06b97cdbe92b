/** `attribute eq value`, the one comparison that is supported; the attribute is in lower case. */
export interface Comparison {
  attribute: string
  value: string | boolean
}

/** The longest filter: 255 characters, each of them escaped. */
const maxFilterLength = 2048

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:user:'

/**
 * Parses a filter of one comparison (RFC 7644, section 3.4.2.2): `userName eq "jane"`. Undefined
 * for any other, whether it is valid or not.
 */
export function parseFilter(filter: string): Comparison | undefined {
  if (filter.length > maxFilterLength) return undefined
  const text = filter.trim()
  const first = text.indexOf(' ')
  const rest = text.slice(first + 1).trimStart()
  if (first <= 0 || rest.slice(0, 3).toLowerCase() !== 'eq ') return undefined
  const value = parseValue(rest.slice(3).trim())
  return value === undefined ? undefined : { attribute: attributeName(text.slice(0, first)), value }
}

/** The name of an attribute without the schema of users, in lower case (RFC 7643, section 2.1). */
export function attributeName(name: string): string {
  const lower = name.toLowerCase()
  return lower.startsWith(userSchema) ? lower.slice(userSchema.length) : lower
}

/** A JSON text or boolean; `true` and `false` in any case, as some clients write them. */
function parseValue(text: string): string | boolean | undefined {
  const lower = text.toLowerCase()
  if (lower === 'true' || lower === 'false') return lower === 'true'
  if (!text.startsWith('"')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
