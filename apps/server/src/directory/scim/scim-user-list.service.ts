import { isCleanText } from '@stithy/core'
import {
  countScimUsers,
  findScimUser,
  findScimUserByName,
  listScimUsers,
  type ScimGroupRow,
  type ScimUserRow,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { maxValueLength } from './scim-attributes.ts'
import { invalidValue, ScimError } from './scim-error.ts'
import { parseFilter } from './scim-filter.ts'
import type { ScimList } from './scim-user.presenter.ts'

const defaultCount = 20
const maxCount = 100

/**
 * Lists users of a group: all, or the one that a filter names.
 * @throws ScimError `invalidFilter`, `invalidValue`
 */
export async function listUsers(
  app: App,
  group: ScimGroupRow,
  query: { filter?: unknown; startIndex?: unknown; count?: unknown },
): Promise<ScimList> {
  // Values below the least ones count as those (RFC 7644, section 3.4.2.4).
  const startIndex = Math.max(1, integerOf(query.startIndex, 'startIndex') ?? 1)
  const asked = Math.max(0, integerOf(query.count, 'count') ?? defaultCount)
  const count = Math.min(asked, maxCount)
  if (query.filter === undefined || query.filter === '') {
    const total = await countScimUsers(app.db, group.id)
    const page = { groupId: group.id, offset: startIndex - 1, limit: count }
    const rows = count === 0 ? [] : await listScimUsers(app.db, page)
    return { rows, total, startIndex, count }
  }
  const found = await findFiltered(app, group, query.filter)
  const all = found === undefined ? [] : [found]
  const rows = all.slice(startIndex - 1, startIndex - 1 + count)
  return { rows, total: all.length, startIndex, count }
}

/** @throws ScimError `invalidFilter` */
async function findFiltered(
  app: App,
  { id: groupId }: ScimGroupRow,
  filter: unknown,
): Promise<ScimUserRow | undefined> {
  const comparison = typeof filter === 'string' ? parseFilter(filter) : undefined
  const { attribute, value } = comparison ?? {}
  if (attribute === undefined || typeof value !== 'string') throw invalidFilter()
  // No user has a value that could not be stored.
  const isPossible = value.length <= maxValueLength && isCleanText(value)
  switch (attribute) {
    case 'id':
    case 'externalid':
      return isPossible ? findScimUser(app.db, { groupId, externUid: value }) : undefined
    case 'username':
      return isPossible ? findScimUserByName(app.db, { groupId, userName: value }) : undefined
    default:
      throw invalidFilter()
  }
}

function invalidFilter(): ScimError {
  const detail = 'The filter must be id, externalId or userName, eq and a text.'
  return new ScimError(400, detail, 'invalidFilter')
}

/** @throws ScimError `invalidValue` */
function integerOf(value: unknown, name: string): number | undefined {
  if (value === undefined || value === '') return undefined
  if (typeof value !== 'string' || !/^-?\d{1,9}$/.test(value)) {
    throw invalidValue(`${name} must be an integer.`)
  }
  return Number(value)
}
