import { sql } from 'kysely'
import { renameNamespaceInRemarks } from '../notes/remark-paths.ts'
import type { Transaction } from '../queries.ts'
import { insertAncestors } from './namespace-store.ts'

/** Makes the personal namespace of a new user. @throws UniqueViolationError when the path is taken. */
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
  if (row === undefined) throw new TypeError('An insert answered no row')
  await insertAncestors(tx, { id: row.id, parentId: null })
  return row.id
}

/**
 * Gives a personal namespace the username and name and, where the username `moved`, its projects and the
 * remarks on what is in them the new full path. @throws UniqueViolationError when the path is taken.
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
  if (moved) await renameInRemarks(tx, user)
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

async function renameInRemarks(
  tx: Transaction,
  { userId, username }: { userId: number; username: string },
): Promise<void> {
  const namespace = await tx.first('namespaces.user.before', { userId }, (db, $) =>
    db
      .selectFrom('namespaces')
      .where('ownerId', '=', $('userId'))
      .where('kind', '=', 'user')
      .select(['id', 'fullPath']),
  )
  if (namespace === undefined) return
  const { id: namespaceId, fullPath: oldPath } = namespace
  await renameNamespaceInRemarks(tx, { namespaceId, oldPath, newPath: username })
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
