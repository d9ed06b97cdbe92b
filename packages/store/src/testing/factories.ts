import type { Queries } from '../platform/queries/queries.ts'
import { pick } from '../platform/queries/sql.ts'
import type { NewRow, Row } from '../platform/schema/schema.ts'

/** The default timestamp of everything: 2019-06-01. */
export const someTime = Date.UTC(2019, 5, 1)

let count = 0

type WithId =
  | 'users'
  | 'namespaces'
  | 'projects'
  | 'members'
  | 'projectGroupLinks'
  | 'groupGroupLinks'
  | 'events'
  | 'notes'
  | 'issues'
  | 'epics'
  | 'mergeRequests'
  | 'todos'
  | 'snippets'

/** Inserts a row as it is and returns all of it. */
export async function insertRow<Table extends WithId>(
  q: Queries,
  table: Table,
  row: NewRow<Table>,
): Promise<Row<Table>> {
  const names = Object.keys(row).toSorted()
  const args = row as Record<string, unknown>
  const inserted = await q.first(`test.insert|${table}|${names.join()}`, args, (db, $) =>
    db
      .insertInto<WithId>(table)
      .values(pick($, names) as never)
      .returningAll(),
  )
  return inserted as Row<Table>
}

/** A user with a unique name, without a personal namespace. */
export function buildUser(q: Queries, changes: Partial<NewRow<'users'>> = {}) {
  count += 1
  const username = changes.username ?? `user${count}`
  const name = changes.name ?? `User ${count}`
  const email = changes.email ?? `${username}@example.com`
  return insertRow(q, 'users', {
    username,
    usernameLower: username.toLowerCase(),
    name,
    nameLower: name.toLowerCase(),
    email,
    emailLower: email.toLowerCase(),
    createdAt: someTime,
    updatedAt: someTime,
    ...changes,
  })
}

/** A private group below `parent`, or a personal namespace if `kind` and `ownerId` say so. */
export async function buildNamespace(
  q: Queries,
  changes: Partial<NewRow<'namespaces'>> = {},
  parent?: Row<'namespaces'>,
) {
  count += 1
  const path = changes.path ?? `group-${count}`
  const name = changes.name ?? `Group ${count}`
  const fullPath = parent === undefined ? path : `${parent.fullPath}/${path}`
  const namespace = await insertRow(q, 'namespaces', {
    kind: 'group',
    name,
    nameLower: name.toLowerCase(),
    path,
    pathLower: path.toLowerCase(),
    fullPath,
    fullPathLower: fullPath.toLowerCase(),
    fullName: parent === undefined ? name : `${parent.fullName} / ${name}`,
    parentId: parent?.id ?? null,
    visibility: 'private',
    createdAt: someTime,
    updatedAt: someTime,
    ...changes,
  })
  await insertAncestors(q, namespace)
  return namespace
}

async function insertAncestors(q: Queries, namespace: Row<'namespaces'>): Promise<void> {
  const args = { id: namespace.id, parentId: namespace.parentId ?? 0 }
  await q.run('test.ancestors.self', { id: namespace.id }, (db, $) =>
    db.insertInto('namespaceAncestors').values({
      descendantId: $('id'),
      ancestorId: $('id'),
      distance: 0,
    }),
  )
  const above = await q.all('test.ancestors.above', args, (db, $) =>
    db
      .selectFrom('namespaceAncestors')
      .where('descendantId', '=', $('parentId'))
      .select(['ancestorId', 'distance']),
  )
  for (const { ancestorId, distance } of above) {
    const row = { id: namespace.id, ancestorId, distance: distance + 1 }
    await q.run('test.ancestors.add', row, (db, $) =>
      db
        .insertInto('namespaceAncestors')
        .values({ descendantId: $('id'), ...pick($, ['ancestorId', 'distance']) }),
    )
  }
}

/** A private project in the namespace. */
export function buildProject(
  q: Queries,
  namespace: Pick<Row<'namespaces'>, 'id' | 'fullPath'>,
  changes: Partial<NewRow<'projects'>> = {},
) {
  count += 1
  const path = changes.path ?? `project-${count}`
  const name = changes.name ?? `Project ${count}`
  const fullPath = `${namespace.fullPath}/${path}`
  return insertRow(q, 'projects', {
    namespaceId: namespace.id,
    name,
    nameLower: name.toLowerCase(),
    path,
    pathLower: path.toLowerCase(),
    fullPath,
    fullPathLower: fullPath.toLowerCase(),
    visibility: 'private',
    runnersToken: `token-${count}`,
    repositoryPath: `@hashed/${count}.git`,
    lastActivityAt: someTime,
    createdAt: someTime,
    updatedAt: someTime,
    ...changes,
  })
}

/** A membership of `user` in a group or project. */
export function buildMember(
  q: Queries,
  user: Pick<Row<'users'>, 'id'>,
  source: { kind: 'group' | 'project'; id: number },
  accessLevel: number,
  changes: Partial<NewRow<'members'>> = {},
) {
  return insertRow(q, 'members', {
    userId: user.id,
    sourceKind: source.kind,
    sourceId: source.id,
    accessLevel,
    createdAt: someTime,
    ...changes,
  })
}

/** A project shared with a group. */
export function buildShare(
  q: Queries,
  projectId: number,
  groupId: number,
  groupAccess: number,
  changes: Partial<NewRow<'projectGroupLinks'>> = {},
) {
  const row = { projectId, groupId, groupAccess, createdAt: someTime }
  return insertRow(q, 'projectGroupLinks', { ...row, ...changes })
}

/** A group shared with another. */
export function buildGroupShare(
  q: Queries,
  sharedGroupId: number,
  sharedWithGroupId: number,
  groupAccess: number,
  changes: Partial<NewRow<'groupGroupLinks'>> = {},
) {
  const row = { sharedGroupId, sharedWithGroupId, groupAccess, createdAt: someTime }
  return insertRow(q, 'groupGroupLinks', { ...row, ...changes })
}
