import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList, pick } from '../../platform/queries/sql.ts'
import { touchStamp } from '../../platform/queries/stamps.ts'
import type { NewRow, Row, RowChanges } from '../../platform/schema/schema.ts'
import {
  type CallerRow,
  callerColumns,
  type TwoFactorStateRow,
  twoFactorStateColumns,
  type UserRefRow,
  type UserRow,
  userColumns,
  userRefColumns,
} from './user-row.ts'

type Derived = 'usernameLower' | 'nameLower' | 'emailLower'

/** A user to create; the lower-cased columns are derived. */
export type NewUser = Omit<NewRow<'users'>, 'id' | Derived>

/** The settable columns of a user; the lower-cased columns are derived. */
export type UserChanges = Omit<RowChanges<'users'>, 'id' | Derived>

/** @throws UniqueViolationError of `usernameLower` or `emailLower`. */
export async function insertUser(tx: Transaction, user: NewUser): Promise<number> {
  const args = withLowered(user)
  const names = Object.keys(args).toSorted()
  const row = await tx.first(`users.insert|${names.join(',')}`, args, (db, $) =>
    db
      .insertInto('users')
      .values(pick($, names) as NewRow<'users'>)
      .returning('id'),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  touchStamp(tx, 'users')
  return row.id
}

/**
 * Updates a user.
 * @throws UniqueViolationError of `usernameLower` or `emailLower`.
 */
export async function updateUser(
  tx: Transaction,
  userId: number,
  changes: UserChanges,
): Promise<void> {
  const set = withLowered(changes)
  const names = Object.keys(set).toSorted()
  if (names.length === 0) return
  const args: Record<string, unknown> = { ...set, userId }
  await tx.run(`users.update|${names.join(',')}`, args, (db, $) =>
    db
      .updateTable('users')
      .set(pick($, names) as RowChanges<'users'>)
      .where('id', '=', $('userId') as number),
  )
  if (names.some((name) => filtered.has(name))) touchStamp(tx, 'users')
}

/** Columns that list filters use: changes to other columns alter the length of no list. */
const filtered: ReadonlySet<string> = new Set<keyof Row<'users'>>([
  'kind',
  'username',
  'name',
  'email',
  'state',
  'external',
  'twoFactorEnabled',
])

function withLowered(values: NewUser | UserChanges): Record<string, unknown> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  const row: Record<string, unknown> = Object.fromEntries(entries)
  for (const name of ['username', 'name', 'email'] as const) {
    const value = values[name]
    if (value !== undefined) row[`${name}Lower`] = value.toLowerCase()
  }
  return row
}

/** A user, or the ghost; not one who is being deleted. */
export function findUser(q: Queries, id: number): Promise<UserRow | undefined> {
  return q.first('users.find', { id }, (db, $) =>
    db
      .selectFrom('users')
      .select(userColumns)
      .where('users.id', '=', $('id'))
      .where('users.kind', '<>', 'leaving'),
  )
}

/** A user by username, case-insensitively. */
export function findUserByUsername(q: Queries, username: string): Promise<UserRow | undefined> {
  return q.first('users.find.username', { usernameLower: username.toLowerCase() }, (db, $) =>
    db
      .selectFrom('users')
      .select(userColumns)
      .where('users.usernameLower', '=', $('usernameLower'))
      .where('users.kind', '<>', 'leaving'),
  )
}

/** Users by their ids, in no particular order; unknown ids are left out. */
export function findUsers(q: Queries, ids: readonly number[]): Promise<UserRow[]> {
  return q.all('users.of-ids', { ids }, (db, $) =>
    db
      .selectFrom('users')
      .select(userColumns)
      .where(inList('users.id', $('ids'))),
  )
}

/** Lists users to embed in other resources, in no particular order; unknown ids are left out. */
export function findUserRefs(q: Queries, ids: readonly number[]): Promise<UserRefRow[]> {
  return q.all('users.refs', { ids }, (db, $) =>
    db
      .selectFrom('users')
      .select(userRefColumns)
      .where(inList('users.id', $('ids'))),
  )
}

/** A user who can act, by id or username; neither the ghost nor one who is being deleted. */
export function findCaller(
  q: Queries,
  key: { id: number } | { usernameLower: string },
): Promise<CallerRow | undefined> {
  if ('id' in key) {
    return q.first('users.caller.id', key, (db, $) =>
      db
        .selectFrom('users')
        .select(callerColumns)
        .where('users.id', '=', $('id'))
        .where('users.kind', '=', 'human'),
    )
  }
  return q.first('users.caller.username', key, (db, $) =>
    db
      .selectFrom('users')
      .select(callerColumns)
      .where('users.usernameLower', '=', $('usernameLower'))
      .where('users.kind', '=', 'human'),
  )
}

/** A user who signs in. */
export type CredentialsRow = CallerRow &
  TwoFactorStateRow & { passwordHash: string | null; confirmedAt: number | null }

/**
 * A user with the columns needed to sign in, by username or by a confirmed e-mail address,
 * case-insensitively. No username has an `@`, and every address does.
 */
export function findCredentials(q: Queries, login: string): Promise<CredentialsRow | undefined> {
  const args = { login: login.toLowerCase() }
  if (!login.includes('@')) {
    return q.first('users.credentials', args, (db, $) =>
      db
        .selectFrom('users')
        .select(credentialColumns)
        .where('users.usernameLower', '=', $('login'))
        .where('users.kind', '=', 'human'),
    )
  }
  return q.first('users.credentials.email', args, (db, $) =>
    db
      .selectFrom('emails')
      .innerJoin('users', 'users.id', 'emails.userId')
      .select(credentialColumns)
      .where('emails.emailLower', '=', $('login'))
      .where('emails.confirmedAt', 'is not', null)
      .where('users.kind', '=', 'human'),
  )
}

const credentialColumns = [
  ...callerColumns,
  ...twoFactorStateColumns,
  'users.passwordHash',
  'users.confirmedAt',
] as const

/**
 * Which of the two is taken by a user other than `exceptId`; an e-mail address also if it is a
 * secondary or unconfirmed one.
 */
export async function findTakenNames(
  q: Queries,
  names: { username: string; email: string; exceptId: number },
): Promise<{ username: boolean; email: boolean }> {
  const args = {
    usernameLower: names.username.toLowerCase(),
    emailLower: names.email.toLowerCase(),
    exceptId: names.exceptId,
  }
  const rows = await q.all('users.taken', args, (db, $) =>
    db
      .selectFrom('users')
      .select(['users.usernameLower', 'users.emailLower'])
      .where((eb) =>
        eb.or([
          eb('users.usernameLower', '=', $('usernameLower')),
          eb('users.emailLower', '=', $('emailLower')),
        ]),
      )
      .where('users.id', '<>', $('exceptId')),
  )
  const { emailLower, exceptId } = args
  const address = await q.first('users.taken-email', { emailLower, exceptId }, (db, $) =>
    db
      .selectFrom('emails')
      .select('id')
      .where('emailLower', '=', $('emailLower'))
      .where('userId', '<>', $('exceptId')),
  )
  return {
    username: rows.some((row) => row.usernameLower === args.usernameLower),
    email: address !== undefined || rows.some((row) => row.emailLower === args.emailLower),
  }
}

/** The ghost user, if it exists. */
export function findGhost(q: Queries): Promise<{ id: number } | undefined> {
  return q.first('users.ghost', {}, (db) =>
    db.selectFrom('users').select('users.id').where('users.kind', '=', 'ghost'),
  )
}

/**
 * Ids of the administrators who can sign in, in no particular order. Locks their rows until the
 * transaction ends, so that no two of them can be removed at once.
 */
export async function lockAdministrators(tx: Transaction): Promise<number[]> {
  const rows = await tx.all('users.lock-administrators', {}, (db) =>
    db
      .updateTable('users')
      .set((eb) => ({ admin: eb.ref('admin') }))
      .where('admin', '=', 1)
      .where('state', '=', 'active')
      .where('kind', '=', 'human')
      .returning('id'),
  )
  return rows.map((row) => row.id)
}

/** Locks a user until the transaction ends; returns whether they exist and aren't being deleted. */
export async function lockUser(tx: Transaction, id: number): Promise<boolean> {
  const { changes } = await tx.run('users.lock', { id }, (db, $) =>
    db
      .updateTable('users')
      .set((eb) => ({ admin: eb.ref('admin') }))
      .where('id', '=', $('id'))
      .where('kind', '=', 'human'),
  )
  return changes > 0
}

/** Whether any user exists. */
export async function hasUsers(q: Queries): Promise<boolean> {
  const row = await q.first('users.any', {}, (db) =>
    db.selectFrom('users').select('users.id').limit(1),
  )
  return row !== undefined
}

/** Records that a user was active on a date, `YYYY-MM-DD`; writes at most once per day and user. */
export async function touchActivity(q: Queries, userId: number, day: string): Promise<void> {
  await q.run('users.activity', { userId, day }, (db, $) =>
    db
      .updateTable('users')
      .set({ lastActivityOn: $('day') })
      .where('id', '=', $('userId'))
      .where((eb) =>
        eb.or([eb('lastActivityOn', 'is', null), eb('lastActivityOn', '<', $('day'))]),
      ),
  )
}
