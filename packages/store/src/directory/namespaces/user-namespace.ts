import { sql } from 'kysely'
import type { Transaction } from '../../platform/queries/queries.ts'
import { insertAncestors } from './namespace-store.ts'

/**
 * Creates the personal namespace of a new user.
 * @throws UniqueViolationError if the path is taken.
 */
export async function insertUserNamespace(
  tx: Transaction,
  user: { userId: number; username: string; name: string; now: number },
): Promise<number> {
  const args = {
    ...user,
    nameLower: user.name.toLowerCase(),
    pathLower: user.username.toLowerCase(),
  }
  const row = await tx.first('namespaces.user.insert', args, (db, $) =>
    db
      .insertInto('namespaces')
      .values({
        kind: 'user',
        name: $('name'),
        nameLower: $('nameLower'),
        path: $('username'),
        pathLower: $('pathLower'),
        fullPath: $('username'),
        fullPathLower: $('pathLower'),
        fullName: $('name'),
        ownerId: $('userId'),
        visibility: 'public',
        createdAt: $('now'),
        updatedAt: $('now'),
      })
      .returning('id'),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  await insertAncestors(tx, { id: row.id, parentId: null })
  return row.id
}

/**
 * Updates a personal namespace to the username and name and, if the username `moved`, the full
 * paths of its projects.
 * @throws UniqueViolationError if the path is taken.
 */
export async function renameUserNamespace(
  tx: Transaction,
  user: { userId: number; username: string; name: string; now: number },
  moved: boolean,
): Promise<void> {
  const args = {
    ...user,
    nameLower: user.name.toLowerCase(),
    pathLower: user.username.toLowerCase(),
  }
  await tx.run('namespaces.user.rename', args, (db, $) =>
    db
      .updateTable('namespaces')
      .set({
        name: $('name'),
        nameLower: $('nameLower'),
        path: $('username'),
        pathLower: $('pathLower'),
        fullPath: $('username'),
        fullPathLower: $('pathLower'),
        fullName: $('name'),
        updatedAt: $('now'),
      })
      .where('ownerId', '=', $('userId'))
      .where('kind', '=', 'user'),
  )
  if (moved) await movePersonalProjects(tx, user.userId, user.username)
}

async function movePersonalProjects(
  tx: Transaction,
  userId: number,
  username: string,
): Promise<void> {
  const args = { userId, prefix: `${username}/`, prefixLower: `${username.toLowerCase()}/` }
  await tx.run('namespaces.user.projects', args, (db, $) =>
    db
      .updateTable('projects')
      .set({
        fullPath: sql<string>`${$('prefix')} || ${sql.ref('path')}`,
        fullPathLower: sql<string>`${$('prefixLower')} || ${sql.ref('pathLower')}`,
      })
      .where('namespaceId', 'in', (eb) =>
        eb
          .selectFrom('namespaces')
          .select('namespaces.id')
          .where('namespaces.ownerId', '=', $('userId')),
      )
      .where('deletedAt', 'is', null),
  )
}
