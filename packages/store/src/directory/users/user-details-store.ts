import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { userNumbers } from './user-list.ts'

/** A user's identity at an external provider. */
export interface IdentityRow {
  userId: number
  provider: string
  externUid: string
}

/** Lists the identities of several users, in the order in which they were added. */
export function findIdentities(q: Queries, userIds: readonly number[]): Promise<IdentityRow[]> {
  return q.all('identities.of', { userIds }, (db, $) =>
    db
      .selectFrom('identities')
      .select(['identities.userId', 'identities.provider', 'identities.externUid'])
      .where(inList('identities.userId', $('userIds')))
      .orderBy('identities.id'),
  )
}

/**
 * Links a user to an account of a provider of the instance, replacing the user's former account there.
 * @throws UniqueViolationError if another user has that account.
 */
export async function setIdentity(tx: Transaction, identity: IdentityRow): Promise<void> {
  await tx.run('identities.clear', identity, (db, $) =>
    db
      .deleteFrom('identities')
      .where('userId', '=', $('userId'))
      .where('provider', '=', $('provider'))
      .where('groupId', 'is', null),
  )
  await tx.run('identities.insert', identity, (db, $) =>
    db
      .insertInto('identities')
      .values({ userId: $('userId'), provider: $('provider'), externUid: $('externUid') }),
  )
}

/** The user who has the account of a provider of the instance. */
export async function findIdentityOwner(
  q: Queries,
  account: { provider: string; externUid: string },
): Promise<number | undefined> {
  const row = await q.first('identities.owner', account, (db, $) =>
    db
      .selectFrom('identities')
      .select('identities.userId')
      .where('identities.provider', '=', $('provider'))
      .where('identities.externUid', '=', $('externUid'))
      .where('identities.groupId', 'is', null),
  )
  return row?.userId
}

/** The number of projects in the personal namespace, and of identities. */
export async function findUserNumbers(
  q: Queries,
  userId: number,
): Promise<{ personalProjects: number; identityCount: number }> {
  const row = await q.first('users.numbers', { userId }, (db, $) =>
    db.selectFrom('users').where('users.id', '=', $('userId')).select(userNumbers),
  )
  return row ?? { personalProjects: 0, identityCount: 0 }
}

/** The highest level among the direct memberships active on a date; 0 without any. */
export async function findHighestRole(
  q: Queries,
  args: { userId: number; today: string },
): Promise<number> {
  const row = await q.first('users.highest-role', args, (db, $) =>
    db
      .selectFrom('members')
      .where('members.userId', '=', $('userId'))
      .where((eb) =>
        eb.or([eb('members.expiresOn', 'is', null), eb('members.expiresOn', '>=', $('today'))]),
      )
      .select((eb) => eb.fn.max('members.accessLevel').as('level')),
  )
  return row?.level ?? 0
}
