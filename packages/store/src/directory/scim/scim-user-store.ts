import type { Kysely } from 'kysely'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import type { Row, Schema } from '../../platform/schema/schema.ts'

/** The provider of identities that SCIM clients add. */
const provider = 'group_saml'

/** A user who was provisioned in a group. */
export interface ScimUserRow
  extends Pick<
    Row<'users'>,
    'username' | 'name' | 'email' | 'state' | 'admin' | 'createdAt' | 'updatedAt'
  > {
  userId: number
  externUid: string
  /** Null for an account that this group's SCIM client has not created. */
  userName: string | null
}

type InGroup = { groupId: number }

function scimUsers(db: Kysely<Schema>, $: Param<InGroup>) {
  return db
    .selectFrom('identities as i')
    .innerJoin('users as u', 'u.id', 'i.userId')
    .leftJoin('scimAccounts as a', (join) =>
      join.onRef('a.userId', '=', 'i.userId').onRef('a.groupId', '=', 'i.groupId'),
    )
    .where('i.groupId', '=', $('groupId'))
    .where('u.kind', '=', 'human')
}

const columns = [
  'i.userId',
  'i.externUid',
  'a.userName',
  'u.username',
  'u.name',
  'u.email',
  'u.state',
  'u.admin',
  'u.createdAt',
  'u.updatedAt',
] as const

/** The user of a group with this id of the client; case-sensitive. */
export function findScimUser(
  q: Queries,
  key: InGroup & { externUid: string },
): Promise<ScimUserRow | undefined> {
  return q.first('scim-users.by-uid', key, (db, $) =>
    scimUsers(db, $).where('i.externUid', '=', $('externUid')).select(columns),
  )
}

/** The user of a group with this `userName` of the client, in any case. */
export function findScimUserByName(
  q: Queries,
  { groupId, userName }: InGroup & { userName: string },
): Promise<ScimUserRow | undefined> {
  const key = { groupId, userNameLower: userName.toLowerCase() }
  return q.first('scim-users.by-name', key, (db, $) =>
    scimUsers(db, $)
      .where('a.groupId', '=', $('groupId'))
      .where('a.userNameLower', '=', $('userNameLower'))
      .select(columns),
  )
}

/** Lists the users of a group in the order in which they were added. */
export function listScimUsers(
  q: Queries,
  args: InGroup & { offset: number; limit: number },
): Promise<ScimUserRow[]> {
  return q.all('scim-users.list', args, (db, $) =>
    scimUsers(db, $).orderBy('i.id').offset($('offset')).limit($('limit')).select(columns),
  )
}

/** Counts the users of a group. */
export async function countScimUsers(q: Queries, groupId: number): Promise<number> {
  const row = await q.first('scim-users.count', { groupId }, (db, $) =>
    scimUsers(db, $).select((eb) => eb.fn.countAll<number>().as('count')),
  )
  return row?.count ?? 0
}

/**
 * Links a user to their account at the provider of a group.
 * @throws UniqueViolationError if another user has that account, or this one has another.
 */
export async function insertScimIdentity(
  tx: Transaction,
  identity: { groupId: number; userId: number; externUid: string },
): Promise<void> {
  await tx.run('scim-users.identity.insert', { ...identity, provider }, (db, $) =>
    db.insertInto('identities').values({
      groupId: $('groupId'),
      userId: $('userId'),
      provider: $('provider'),
      externUid: $('externUid'),
    }),
  )
}

/** @throws UniqueViolationError if another user of the group has that account. */
export async function updateScimIdentity(
  tx: Transaction,
  identity: { groupId: number; userId: number; externUid: string },
): Promise<void> {
  await tx.run('scim-users.identity.update', identity, (db, $) =>
    db
      .updateTable('identities')
      .set({ externUid: $('externUid') })
      .where('groupId', '=', $('groupId'))
      .where('userId', '=', $('userId')),
  )
}

/** Unlinks a user from their account at the provider of a group. */
export async function deleteScimIdentity(
  tx: Transaction,
  identity: { groupId: number; userId: number },
): Promise<void> {
  await tx.run('scim-users.identity.delete', identity, (db, $) =>
    db
      .deleteFrom('identities')
      .where('groupId', '=', $('groupId'))
      .where('userId', '=', $('userId')),
  )
}

/**
 * Notes that a group's SCIM client has created an account, or by which `userName` it knows it.
 * @throws UniqueViolationError if another account of the group has that name.
 */
export async function setScimAccount(
  tx: Transaction,
  { groupId, userId, userName }: { groupId: number; userId: number; userName: string },
): Promise<void> {
  const account = { groupId, userId, userName, userNameLower: userName.toLowerCase() }
  await tx.run('scim-users.account.set', account, (db, $) =>
    db
      .insertInto('scimAccounts')
      .values({
        userId: $('userId'),
        groupId: $('groupId'),
        userName: $('userName'),
        userNameLower: $('userNameLower'),
      })
      .onConflict((conflict) =>
        conflict
          .column('userId')
          .doUpdateSet({ userName: $('userName'), userNameLower: $('userNameLower') }),
      ),
  )
}

/** The account with this primary e-mail address that a group's SCIM client has created. */
export async function findScimAccount(
  q: Queries,
  { groupId, email }: { groupId: number; email: string },
): Promise<number | undefined> {
  const key = { groupId, emailLower: email.toLowerCase() }
  const row = await q.first('scim-users.account.find', key, (db, $) =>
    db
      .selectFrom('users')
      .innerJoin('scimAccounts', 'scimAccounts.userId', 'users.id')
      .select('users.id')
      .where('users.emailLower', '=', $('emailLower'))
      .where('users.kind', '=', 'human')
      .where('scimAccounts.groupId', '=', $('groupId')),
  )
  return row?.id
}
