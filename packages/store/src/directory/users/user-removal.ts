import { expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import { touchStamp } from '../../platform/queries/stamps.ts'
import type { Schema } from '../../platform/schema/schema.ts'

interface OwnerArgs {
  userId: number
  /** `YYYY-MM-DD` */
  today: string
}

const eb = expressionBuilder<Schema, never>()

/** Ids of the groups whose only owner is the user, inherited owners included. */
export async function findSolelyOwnedGroups(q: Queries, args: OwnerArgs): Promise<number[]> {
  const rows = await q.all('users.sole-groups', args, (db, $) =>
    db
      .selectFrom('members as m')
      .innerJoin('namespaces as n', 'n.id', 'm.sourceId')
      .where('m.userId', '=', $('userId'))
      .where('m.sourceKind', '=', 'group')
      .where('m.accessLevel', '>=', 50)
      .where('n.deletedAt', 'is', null)
      .where(counts('m', $))
      .where((e) => e.not(e.exists(otherOwners($))))
      .select('n.id')
      .orderBy('n.id'),
  )
  return rows.map((row) => row.id)
}

/** Other active owners of the group `n`. */
function otherOwners($: Param<OwnerArgs>) {
  return eb
    .selectFrom('namespaceAncestors as a')
    .innerJoin('members as other', 'other.sourceId', 'a.ancestorId')
    .where(sql<SqlBool>`${sql.ref('a.descendantId')} = ${sql.ref('n.id')}`)
    .where('other.sourceKind', '=', 'group')
    .where('other.accessLevel', '>=', 50)
    .where('other.userId', '<>', $('userId'))
    .where(counts('other', $))
    .select('other.id')
}

function counts(alias: string, $: Param<OwnerArgs>) {
  const expiresOn = sql.ref(`${alias}.expiresOn`)
  return sql<SqlBool>`(${expiresOn} is null or ${expiresOn} >= ${$('today')})`
}

/** Ids of the projects in the personal namespace that are not being deleted already. */
export async function findPersonalProjectIds(q: Queries, userId: number): Promise<number[]> {
  const rows = await q.all('users.personal-projects', { userId }, (db, $) =>
    db
      .selectFrom('projects')
      .innerJoin('namespaces', 'namespaces.id', 'projects.namespaceId')
      .where('namespaces.ownerId', '=', $('userId'))
      .where('projects.deletedAt', 'is', null)
      .select('projects.id')
      .orderBy('projects.id'),
  )
  return rows.map((row) => row.id)
}

/** Ids of all projects in the personal namespace, including those that are being deleted. */
export async function findAllPersonalProjectIds(q: Queries, userId: number): Promise<number[]> {
  const rows = await q.all('users.personal-projects-all', { userId }, (db, $) =>
    db
      .selectFrom('projects')
      .innerJoin('namespaces', 'namespaces.id', 'projects.namespaceId')
      .where('namespaces.ownerId', '=', $('userId'))
      .select('projects.id')
      .orderBy('projects.id'),
  )
  return rows.map((row) => row.id)
}

/** A user who is being deleted. */
export function findUserToDelete(
  q: Queries,
  userId: number,
): Promise<{ id: number; avatar: string | null } | undefined> {
  return q.first('users.leaving', { userId }, (db, $) =>
    db
      .selectFrom('users')
      .select(['users.id', 'users.avatar'])
      .where('users.id', '=', $('userId'))
      .where('users.kind', '=', 'leaving'),
  )
}

const accessTables = [
  'sessions',
  'pendingSignIns',
  'tokens',
  'oauthGrants',
  'twoFactors',
  'recoveryCodes',
  'sshKeys',
  'gpgKeys',
  'emails',
  'identities',
  'scimAccounts',
  'members',
  'accessRequests',
] as const

/**
 * Revokes a user's access: memberships and requests for them, credentials, sessions, keys and e-mail
 * addresses.
 */
export async function removeAccess(tx: Transaction, userId: number): Promise<void> {
  for (const table of accessTables) {
    await tx.run(`users.access.${table}`, { userId }, (db, $) =>
      db.deleteFrom(table).where('userId', '=', $('userId')),
    )
  }
  touchStamp(tx, 'members')
}

/** Moves up to `limit` events from one user to another; returns how many. */
export async function moveEvents(
  tx: Transaction,
  args: { from: number; to: number; limit: number },
): Promise<number> {
  const { changes } = await tx.run('users.move-events', args, (db, $) =>
    db
      .updateTable('events')
      .set({ authorId: $('to') })
      .where('id', 'in', (e) =>
        e
          .selectFrom('events')
          .select('events.id')
          .where('events.authorId', '=', $('from'))
          .limit($('limit')),
      ),
  )
  if (changes > 0) touchStamp(tx, 'events')
  return changes
}

/** Deletes up to `limit` events of a user; returns how many. */
export async function removeEvents(
  tx: Transaction,
  args: { userId: number; limit: number },
): Promise<number> {
  const { changes } = await tx.run('users.remove-events', args, (db, $) =>
    db
      .deleteFrom('events')
      .where('id', 'in', (e) =>
        e
          .selectFrom('events')
          .select('events.id')
          .where('events.authorId', '=', $('userId'))
          .limit($('limit')),
      ),
  )
  if (changes > 0) touchStamp(tx, 'events')
  return changes
}

/** Subtracts the user's stars from the star counts of projects. */
async function removeStars(tx: Transaction, userId: number): Promise<void> {
  await tx.run('users.stars.counts', { userId }, (db, $) =>
    db
      .updateTable('projects')
      .set((e) => ({ starCount: e('starCount', '-', 1) }))
      .where('id', 'in', (e) =>
        e.selectFrom('stars').select('stars.projectId').where('stars.userId', '=', $('userId')),
      ),
  )
  await tx.run('users.stars.delete', { userId }, (db, $) =>
    db.deleteFrom('stars').where('userId', '=', $('userId')),
  )
}

/** Deletes the row of a user who is being deleted, with its dependents. */
export async function deleteUserRow(tx: Transaction, userId: number): Promise<void> {
  await removeStars(tx, userId)
  await tx.run('users.attributes.delete', { userId }, (db, $) =>
    db
      .deleteFrom('customAttributes')
      .where('ownerKind', '=', 'user')
      .where('ownerId', '=', $('userId')),
  )
  await tx.run('users.delete', { userId }, (db, $) =>
    db.deleteFrom('users').where('id', '=', $('userId')).where('kind', '=', 'leaving'),
  )
  touchStamp(tx, 'events', 'users')
}
