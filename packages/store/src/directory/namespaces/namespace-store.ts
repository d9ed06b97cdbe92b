import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { touchStamp } from '../../platform/queries/stamps.ts'
import type { NewRow, Row, RowChanges } from '../../platform/schema/schema.ts'

/** A namespace with all its columns. */
export type NamespaceRow = Row<'namespaces'>

/** By id, or by the lower-cased full path. */
export type NamespaceKey = { id: number } | { fullPathLower: string }

/** An existing namespace of either kind. */
export function findNamespace(q: Queries, key: NamespaceKey): Promise<NamespaceRow | undefined> {
  if ('id' in key) {
    return q.first('namespaces.find.id', key, (db, $) =>
      db
        .selectFrom('namespaces')
        .selectAll()
        .where('id', '=', $('id'))
        .where('deletedAt', 'is', null),
    )
  }
  return q.first('namespaces.find.path', key, (db, $) =>
    db
      .selectFrom('namespaces')
      .selectAll()
      .where('fullPathLower', '=', $('fullPathLower'))
      .where('deletedAt', 'is', null),
  )
}

/** The personal namespace of a user. */
export function findUserNamespace(q: Queries, userId: number): Promise<NamespaceRow | undefined> {
  return q.first('namespaces.find.owner', { userId }, (db, $) =>
    db
      .selectFrom('namespaces')
      .selectAll()
      .where('ownerId', '=', $('userId'))
      .where('kind', '=', 'user')
      .where('deletedAt', 'is', null),
  )
}

/**
 * Locks an existing namespace until the transaction ends and returns its row. What is checked
 * against it afterwards (paths below, visibilities, owners) stays true until the commit.
 */
export function lockNamespace(tx: Transaction, id: number): Promise<NamespaceRow | undefined> {
  return tx.first('namespaces.lock', { id }, (db, $) =>
    db
      .updateTable('namespaces')
      .set((eb) => ({ updatedAt: eb.ref('updatedAt') }))
      .where('id', '=', $('id'))
      .where('deletedAt', 'is', null)
      .returningAll(),
  )
}

/** Whether a project or a namespace has this full path. */
export async function isPathTaken(q: Queries, fullPath: string): Promise<boolean> {
  const fullPathLower = fullPath.toLowerCase()
  const row = await q.first('namespaces.path-taken', { fullPathLower }, (db, $) =>
    db
      .selectFrom('namespaces')
      .select('id')
      .where('fullPathLower', '=', $('fullPathLower'))
      .unionAll(
        db.selectFrom('projects').select('id').where('fullPathLower', '=', $('fullPathLower')),
      )
      .limit(1),
  )
  return row !== undefined
}

/** What a namespace or one of its ancestors forbids in its projects. */
export interface NamespaceLocks {
  /** Direct members. */
  membership: boolean
  /** Sharing with groups. */
  sharing: boolean
}

/** The locks that apply in a namespace: its own, and those of every ancestor. */
export async function findNamespaceLocks(q: Queries, id: number): Promise<NamespaceLocks> {
  const row = await q.first('namespaces.locks', { id }, (db, $) =>
    db
      .selectFrom('namespaceAncestors as a')
      .innerJoin('namespaces as n', 'n.id', 'a.ancestorId')
      .where('a.descendantId', '=', $('id'))
      .select((eb) => [
        eb.fn.max('n.membershipLock').as('membership'),
        eb.fn.max('n.shareWithGroupLock').as('sharing'),
      ]),
  )
  return { membership: row?.membership === 1, sharing: row?.sharing === 1 }
}

/** Whether a namespace is the same as another one or its descendant. */
export async function isNamespaceWithin(
  q: Queries,
  args: { id: number; ancestorId: number },
): Promise<boolean> {
  const row = await q.first('namespaces.within', args, (db, $) =>
    db
      .selectFrom('namespaceAncestors')
      .select('distance')
      .where('descendantId', '=', $('id'))
      .where('ancestorId', '=', $('ancestorId')),
  )
  return row !== undefined
}

/** The depth of a namespace: the number of its ancestors, itself included. */
export async function namespaceDepth(q: Queries, id: number): Promise<number> {
  const row = await q.first('namespaces.depth', { id }, (db, $) =>
    db
      .selectFrom('namespaceAncestors')
      .where('descendantId', '=', $('id'))
      .select((eb) => eb.fn.countAll<number>().as('depth')),
  )
  return row?.depth ?? 0
}

/** Inserts the closure rows of a new namespace: itself, and the ancestors of its parent. */
export async function insertAncestors(
  tx: Transaction,
  args: { id: number; parentId: number | null },
): Promise<void> {
  await tx.run('namespaces.ancestors.self', { id: args.id }, (db, $) =>
    db
      .insertInto('namespaceAncestors')
      .values({ descendantId: $('id'), ancestorId: $('id'), distance: 0 }),
  )
  const { id, parentId } = args
  if (parentId === null) return
  const rows = await tx.all('namespaces.ancestors.of', { parentId }, (db, $) =>
    db
      .selectFrom('namespaceAncestors')
      .select(['ancestorId', 'distance'])
      .where('descendantId', '=', $('parentId')),
  )
  for (const { ancestorId, distance } of rows) {
    const row = { id, ancestorId, distance: distance + 1 }
    await tx.run('namespaces.ancestors.insert', row, (db, $) =>
      db.insertInto('namespaceAncestors').values({
        descendantId: $('id'),
        ancestorId: $('ancestorId'),
        distance: $('distance'),
      }),
    )
  }
}

/** A group to create. */
export interface NewGroup {
  name: string
  path: string
  fullPath: string
  fullName: string
  parentId: number | null
  visibility: NewRow<'namespaces'>['visibility']
  description: string
  lfsEnabled: 0 | 1
  requestAccessEnabled: 0 | 1
  shareWithGroupLock: 0 | 1
  requireTwoFactorAuthentication: 0 | 1
  /** Hours. */
  twoFactorGracePeriod: number
  sharedRunnersMinutesLimit: number | null
  extraSharedRunnersMinutesLimit: number | null
  /** Milliseconds since the epoch. */
  createdAt: number
}

/** @throws UniqueViolationError if the full path is taken. */
export async function insertGroup(tx: Transaction, group: NewGroup): Promise<number> {
  const args = {
    ...group,
    nameLower: group.name.toLowerCase(),
    pathLower: group.path.toLowerCase(),
    fullPathLower: group.fullPath.toLowerCase(),
  }
  const row = await tx.first('namespaces.insert.group', args, (db, $) =>
    db
      .insertInto('namespaces')
      .values({
        kind: 'group',
        name: $('name'),
        nameLower: $('nameLower'),
        path: $('path'),
        pathLower: $('pathLower'),
        fullPath: $('fullPath'),
        fullPathLower: $('fullPathLower'),
        fullName: $('fullName'),
        parentId: $('parentId'),
        visibility: $('visibility'),
        description: $('description'),
        lfsEnabled: $('lfsEnabled'),
        requestAccessEnabled: $('requestAccessEnabled'),
        shareWithGroupLock: $('shareWithGroupLock'),
        requireTwoFactorAuthentication: $('requireTwoFactorAuthentication'),
        twoFactorGracePeriod: $('twoFactorGracePeriod'),
        sharedRunnersMinutesLimit: $('sharedRunnersMinutesLimit'),
        extraSharedRunnersMinutesLimit: $('extraSharedRunnersMinutesLimit'),
        createdAt: $('createdAt'),
        updatedAt: $('createdAt'),
      })
      .returning('id'),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  await insertAncestors(tx, { id: row.id, parentId: group.parentId })
  touchStamp(tx, 'groups')
  return row.id
}

/** The settable columns of a namespace; the `Lower` columns are derived. */
export type NamespaceChanges = Omit<
  RowChanges<'namespaces'>,
  'id' | 'nameLower' | 'pathLower' | 'fullPathLower'
>

/**
 * Updates one namespace; `renameNamespace` propagates a new path to the descendants.
 * @throws UniqueViolationError if the full path is taken.
 */
export async function updateNamespace(
  tx: Transaction,
  id: number,
  changes: NamespaceChanges,
): Promise<void> {
  const set: Record<string, unknown> = { ...changes }
  for (const name of ['name', 'path', 'fullPath'] as const) {
    const value = changes[name]
    if (value !== undefined) set[`${name}Lower`] = value.toLowerCase()
  }
  const names = Object.keys(set)
    .filter((name) => set[name] !== undefined)
    .toSorted()
  if (names.length === 0) return
  const args: Record<string, unknown> = { namespaceId: id }
  for (const name of names) args[name] = set[name]
  await tx.run(`namespaces.update|${names.join(',')}`, args, (db, $) =>
    db
      .updateTable('namespaces')
      .set(Object.fromEntries(names.map((name) => [name, $(name)])) as RowChanges<'namespaces'>)
      .where('id', '=', $('namespaceId') as number),
  )
  touchStamp(tx, 'groups')
}
