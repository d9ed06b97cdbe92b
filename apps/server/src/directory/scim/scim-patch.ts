import { isObject, readAttribute, readAttributes, type ScimAttributes } from './scim-attributes.ts'
import { invalidValue, ScimError } from './scim-error.ts'
import { attributeName, parseFilter } from './scim-filter.ts'

/** The most operations of one request. */
const maxOperations = 100

/** The longest path, in characters. */
const maxPathLength = 1024

/** Attributes that every user has. */
const required: readonly string[] = ['active', 'emails', 'externalid', 'id', 'name', 'username']

/**
 * Reads the operations of a PATCH (RFC 7644, section 3.5.2), in the shapes that identity providers
 * send: `op` in any case, values below a path or as an object.
 * @throws ScimError
 */
export function readPatch(body: unknown): ScimAttributes {
  const operations = isObject(body) ? (body.Operations ?? body.operations) : undefined
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new ScimError(400, 'Operations must be a list.', 'invalidSyntax')
  }
  if (operations.length > maxOperations) throw invalidValue('There are too many operations.')
  const attributes: ScimAttributes = {}
  for (const operation of operations) apply(attributes, operation)
  return attributes
}

function apply(attributes: ScimAttributes, operation: unknown): void {
  if (!isObject(operation)) throw syntaxError()
  const { op, path, value } = operation
  const action = typeof op === 'string' && op.length <= 7 ? op.toLowerCase() : ''
  if (!['add', 'remove', 'replace'].includes(action)) throw syntaxError()
  const target = readPath(path)
  if (action === 'remove') refuseRemoval(target)
  else if (target === undefined) readAttributes(attributes, value)
  else if (target.applies) readAttribute(attributes, target.attribute, value)
}

function syntaxError(): ScimError {
  return new ScimError(400, 'An operation must add, replace or remove.', 'invalidSyntax')
}

/** What isn't kept can be removed; the rest must be there. */
function refuseRemoval(target: Target | undefined): void {
  if (target === undefined) throw new ScimError(400, 'A path is missing.', 'noTarget')
  const [name = ''] = target.attribute.split('.')
  if (target.applies && required.includes(name)) {
    throw new ScimError(400, 'The attribute can not be removed.', 'mutability')
  }
}

interface Target {
  /** In lower case, without the filter: `emails.value`. */
  attribute: string
  /** Whether the filter of the path selects the value that is kept. */
  applies: boolean
}

/** Parses `name`, `name.part`, `emails[type eq "work"].value` (RFC 7644, section 3.5.2). */
function readPath(path: unknown): Target | undefined {
  if (path === undefined || path === null || path === '') return undefined
  if (typeof path !== 'string' || path.length > maxPathLength) throw invalidPath()
  const open = path.indexOf('[')
  if (open === -1) return { attribute: checkedName(path), applies: true }
  const close = path.lastIndexOf(']')
  const filter = close < open ? undefined : parseFilter(path.slice(open + 1, close))
  const end = path.slice(close + 1)
  if (filter === undefined || !(end === '' || end.startsWith('.'))) throw invalidPath()
  const attribute = checkedName(path.slice(0, open) + end)
  return { attribute, applies: isKept(filter.attribute, filter.value) }
}

/** The one address that is kept is the primary one, of work. */
function isKept(attribute: string, value: string | boolean): boolean {
  if (attribute === 'type') return value === 'work'
  return attribute === 'primary' && (value === true || value === 'true')
}

function checkedName(path: string): string {
  if (!/^[\w$:.-]+$/.test(path)) throw invalidPath()
  return attributeName(path)
}

function invalidPath(): ScimError {
  return new ScimError(400, 'The path is invalid.', 'invalidPath')
}
