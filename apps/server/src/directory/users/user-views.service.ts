import type { UserRef } from '@stithy/core'
import {
  findIdentities,
  findUserNumbers,
  findUserRefs,
  type ListedUserRow,
  listCustomAttributes,
  type UserRow,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { presentUserRef, type UserView } from './user.presenter.ts'

/** Loads what the full shapes of a page of users contain, in at most two queries. */
export async function viewUsers(
  app: App,
  rows: readonly ListedUserRow[],
  { withAttributes }: { withAttributes: boolean },
): Promise<UserView[]> {
  const known = rows.filter((row) => row.identityCount > 0).map((row) => row.id)
  const ownerIds = rows.map((row) => row.id)
  const identities = known.length === 0 ? [] : await findIdentities(app.db, known)
  const attributes = withAttributes
    ? await listCustomAttributes(app.db, { ownerKind: 'user', ownerIds })
    : undefined
  return rows.map((row) => ({
    row,
    personalProjects: row.personalProjects,
    identities: identities.filter((identity) => identity.userId === row.id),
    customAttributes: attributes?.filter((attribute) => attribute.ownerId === row.id),
  }))
}

/** Loads what the full shape of a user contains. */
export async function viewUser(
  app: App,
  row: UserRow,
  options: { withAttributes: boolean } = { withAttributes: false },
): Promise<UserView> {
  const numbers = await findUserNumbers(app.db, row.id)
  const [view] = await viewUsers(app, [{ ...row, ...numbers }], options)
  return view ?? { row, identities: [], personalProjects: 0 }
}

/** Loads the short shapes of users, by id. One query. */
export async function userRefs(
  app: App,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, UserRef>> {
  const unique = [...new Set(ids)]
  if (unique.length === 0) return new Map()
  const rows = await findUserRefs(app.db, unique)
  return new Map(rows.map((row) => [row.id, presentUserRef(app.config, row)]))
}
