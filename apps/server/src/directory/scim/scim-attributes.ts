import { isCleanText } from '@stithy/core'
import { invalidValue } from './scim-error.ts'
import { attributeName } from './scim-filter.ts'

/** What a request says of a user; attributes that are not kept are left out. */
export interface ScimAttributes {
  externalId?: string
  userName?: string
  /** `name.formatted`. */
  formatted?: string
  givenName?: string
  familyName?: string
  displayName?: string
  email?: string
  active?: boolean
}

/** The longest value, in characters. */
export const maxValueLength = 255

/** The most attributes of a resource, and addresses of a user, that are read. */
const maxEntries = 100

type Read = (attributes: ScimAttributes, value: unknown) => void

const reader =
  (field: Exclude<keyof ScimAttributes, 'active'>, name: string): Read =>
  (attributes, value) => {
    const text = textOf(value, name)
    if (text !== undefined) attributes[field] = text
  }

const readers: ReadonlyMap<string, Read> = new Map([
  ['id', reader('externalId', 'id')],
  ['externalid', reader('externalId', 'externalId')],
  ['username', reader('userName', 'userName')],
  ['name', (attributes, value) => readObject(attributes, value, 'name')],
  ['name.formatted', reader('formatted', 'name.formatted')],
  ['name.givenname', reader('givenName', 'name.givenName')],
  ['name.familyname', reader('familyName', 'name.familyName')],
  ['displayname', reader('displayName', 'displayName')],
  ['emails', readEmails],
  ['emails.value', reader('email', 'emails.value')],
  ['active', readActive],
])

/**
 * Reads one attribute by its path: `userName`, `name.formatted`, in any case. Others are ignored.
 * @throws ScimError `invalidValue`
 */
export function readAttribute(attributes: ScimAttributes, path: string, value: unknown): void {
  readers.get(attributeName(path))?.(attributes, value)
}

/**
 * Reads the attributes of an object, whose keys may also be paths.
 * @throws ScimError `invalidValue`
 */
export function readAttributes(attributes: ScimAttributes, value: unknown): void {
  readObject(attributes, value, '')
}

/** The full name, if enough of its parts are known. */
export function fullNameOf(attributes: ScimAttributes): string | undefined {
  const { formatted, givenName, familyName, displayName } = attributes
  if (formatted !== undefined) return formatted
  if (givenName !== undefined && familyName !== undefined) return `${givenName} ${familyName}`
  return displayName
}

function readObject(attributes: ScimAttributes, value: unknown, parent: string): void {
  if (!isObject(value)) throw invalidValue(`${parent || 'The value'} must be an object.`)
  const entries = Object.entries(value)
  if (entries.length > maxEntries) throw invalidValue('There are too many attributes.')
  for (const [key, each] of entries) {
    readAttribute(attributes, parent === '' ? key : `${parent}.${key}`, each)
  }
}

/** The primary address, else the one of work, else the first. */
function readEmails(attributes: ScimAttributes, value: unknown): void {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (list.length > maxEntries) throw invalidValue('There are too many e-mail addresses.')
  const emails = list.map((email) => (isObject(email) ? email : { value: email }))
  const chosen =
    emails.find(({ primary }) => primary === true || primary === 'true') ??
    emails.find(({ type }) => type === 'work') ??
    emails[0]
  const text = textOf(chosen?.value, 'emails.value')
  if (text !== undefined) attributes.email = text
}

/** Some clients send `"True"` and `"False"`. */
function readActive(attributes: ScimAttributes, value: unknown): void {
  const plain = unwrapped(value)
  const word = typeof plain === 'string' && plain.length <= 5 ? plain.toLowerCase() : plain
  if (word === true || word === 'true') attributes.active = true
  else if (word === false || word === 'false') attributes.active = false
  else throw invalidValue('active must be true or false.')
}

/** A text that is neither empty nor too long; null and empty ones count as absent. */
function textOf(value: unknown, name: string): string | undefined {
  const plain = unwrapped(value)
  if (plain === undefined || plain === null || plain === '') return undefined
  if (typeof plain !== 'string') throw invalidValue(`${name} must be a text.`)
  if (plain.length > maxValueLength) throw invalidValue(`${name} is too long.`)
  if (!isCleanText(plain)) throw invalidValue(`${name} has invalid characters.`)
  return plain.trim() === '' ? undefined : plain.trim()
}

/** Some clients send single values as a list of one object: `[{ "value": "x" }]`. */
function unwrapped(value: unknown): unknown {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  return isObject(only) && 'value' in only ? only.value : only
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
