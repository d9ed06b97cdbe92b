import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { jsonText } from '../../platform/queries/sql.ts'
import type { Flag } from '../../platform/schema/flag.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** An application that isn't being deleted, without the hash of its secret. */
export type ApplicationRow = Omit<Row<'oauthApplications'>, 'secretHash' | 'deletedAt'>

/** What can be changed of an application. */
export interface ApplicationSettings {
  name: string
  redirectUris: readonly string[]
  scopes: readonly string[]
  confidential: Flag
}

export interface NewApplicationRow extends ApplicationSettings {
  /** Null for an application of the instance. */
  ownerId: number | null
  uid: string
  secretHash: string
  trusted: Flag
  /** Milliseconds since the epoch. */
  createdAt: number
}

const columns = [
  'oauthApplications.id',
  'oauthApplications.ownerId',
  'oauthApplications.uid',
  'oauthApplications.name',
  'oauthApplications.redirectUris',
  'oauthApplications.scopes',
  'oauthApplications.confidential',
  'oauthApplications.trusted',
  'oauthApplications.createdAt',
] as const

/** Stores a new application with the hash of its secret. */
export async function insertApplication(
  tx: Transaction,
  application: NewApplicationRow,
): Promise<ApplicationRow> {
  const row = await tx.first('oauthApplications.insert', asColumns(application), (db, $) =>
    db
      .insertInto('oauthApplications')
      .values({
        ownerId: $('ownerId'),
        uid: $('uid'),
        secretHash: $('secretHash'),
        name: $('name'),
        redirectUris: $('redirectUris'),
        scopes: $('scopes'),
        confidential: $('confidential'),
        trusted: $('trusted'),
        createdAt: $('createdAt'),
      })
      .returning(columns),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

function asColumns<Settings extends ApplicationSettings>(settings: Settings) {
  const { redirectUris, scopes, ...rest } = settings
  return { ...rest, redirectUris: jsonText(redirectUris), scopes: jsonText(scopes) }
}

/** Lists the applications of the instance, oldest first; their number is limited. */
export function listApplications(q: Queries): Promise<ApplicationRow[]> {
  return q.all('oauthApplications.list', {}, (db) =>
    db
      .selectFrom('oauthApplications')
      .select(columns)
      .where('ownerId', 'is', null)
      .where('deletedAt', 'is', null)
      .orderBy('id'),
  )
}

/** An application in a list, without its redirect URIs, which may be long. */
export type ListedApplicationRow = Pick<
  ApplicationRow,
  'id' | 'uid' | 'name' | 'scopes' | 'createdAt'
>

/** Lists the applications that a user has registered, oldest first; their number is limited. */
export function listApplicationsOf(q: Queries, ownerId: number): Promise<ListedApplicationRow[]> {
  return q.all('oauthApplications.list-owned', { ownerId }, (db, $) =>
    db
      .selectFrom('oauthApplications')
      .select(['id', 'uid', 'name', 'scopes', 'createdAt'])
      .where('ownerId', '=', $('ownerId'))
      .where('deletedAt', 'is', null)
      .orderBy('id'),
  )
}

/** The number of applications of the instance. */
export async function countApplications(q: Queries): Promise<number> {
  const row = await q.first('oauthApplications.count', {}, (db) =>
    db
      .selectFrom('oauthApplications')
      .where('ownerId', 'is', null)
      .where('deletedAt', 'is', null)
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return row?.total ?? 0
}

/** The number of applications that a user has registered. */
export async function countApplicationsOf(q: Queries, ownerId: number): Promise<number> {
  const row = await q.first('oauthApplications.count-owned', { ownerId }, (db, $) =>
    db
      .selectFrom('oauthApplications')
      .where('ownerId', '=', $('ownerId'))
      .where('deletedAt', 'is', null)
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return row?.total ?? 0
}

export type ClientRow = ApplicationRow & {
  secretHash: string
  /** Null for an application of the instance. */
  ownerUsername: string | null
}

/** An application by its `client_id`, with the hash of its secret and who has registered it. */
export function findApplication(q: Queries, uid: string): Promise<ClientRow | undefined> {
  return q.first('oauthApplications.find', { uid }, (db, $) =>
    db
      .selectFrom('oauthApplications')
      .leftJoin('users', 'users.id', 'oauthApplications.ownerId')
      .select(columns)
      .select(['oauthApplications.secretHash', 'users.username as ownerUsername'])
      .where('oauthApplications.uid', '=', $('uid'))
      .where('oauthApplications.deletedAt', 'is', null),
  )
}

/** An application of a user. */
export interface OwnedApplication {
  id: number
  ownerId: number
}

/** An application that the user has registered. */
export function findApplicationOf(
  q: Queries,
  args: OwnedApplication,
): Promise<ApplicationRow | undefined> {
  return q.first('oauthApplications.find-owned', args, (db, $) =>
    db
      .selectFrom('oauthApplications')
      .select(columns)
      .where('id', '=', $('id'))
      .where('ownerId', '=', $('ownerId'))
      .where('deletedAt', 'is', null),
  )
}

/** Changes an application of a user; returns whether there is one. */
export async function updateApplicationOf(
  tx: Transaction,
  application: OwnedApplication & ApplicationSettings,
): Promise<boolean> {
  const { changes } = await tx.run('oauthApplications.update', asColumns(application), (db, $) =>
    db
      .updateTable('oauthApplications')
      .set({
        name: $('name'),
        redirectUris: $('redirectUris'),
        scopes: $('scopes'),
        confidential: $('confidential'),
      })
      .where('id', '=', $('id'))
      .where('ownerId', '=', $('ownerId'))
      .where('deletedAt', 'is', null),
  )
  return changes > 0
}

/**
 * Replaces the secret of an application of a user; returns its name, or undefined if there is none.
 */
export async function replaceApplicationSecret(
  tx: Transaction,
  args: OwnedApplication & { secretHash: string },
): Promise<string | undefined> {
  const row = await tx.first('oauthApplications.secret', args, (db, $) =>
    db
      .updateTable('oauthApplications')
      .set({ secretHash: $('secretHash') })
      .where('id', '=', $('id'))
      .where('ownerId', '=', $('ownerId'))
      .where('deletedAt', 'is', null)
      .returning('name'),
  )
  return row?.name
}

/** An application that is being deleted. */
export type HiddenApplication = Pick<ApplicationRow, 'id' | 'ownerId' | 'name'>

const hiddenColumns = ['id', 'ownerId', 'name'] as const

/**
 * Marks an application as being deleted; returns undefined if there is none. `now` in milliseconds.
 */
export function hideApplication(
  tx: Transaction,
  args: { id: number; now: number },
): Promise<HiddenApplication | undefined> {
  return tx.first('oauthApplications.hide', args, (db, $) =>
    db
      .updateTable('oauthApplications')
      .set({ deletedAt: $('now') })
      .where('id', '=', $('id'))
      .where('deletedAt', 'is', null)
      .returning(hiddenColumns),
  )
}

/** Marks all applications of a user as being deleted; returns them. `now` in milliseconds. */
export function hideApplicationsOf(
  tx: Transaction,
  args: { ownerId: number; now: number },
): Promise<HiddenApplication[]> {
  return tx.all('oauthApplications.hide-owned', args, (db, $) =>
    db
      .updateTable('oauthApplications')
      .set({ deletedAt: $('now') })
      .where('ownerId', '=', $('ownerId'))
      .where('deletedAt', 'is', null)
      .returning(hiddenColumns),
  )
}

/** The ids of a user's applications that are being deleted. */
export async function listHiddenApplicationIds(q: Queries, ownerId: number): Promise<number[]> {
  const rows = await q.all('oauthApplications.hidden', { ownerId }, (db, $) =>
    db
      .selectFrom('oauthApplications')
      .select('id')
      .where('ownerId', '=', $('ownerId'))
      .where('deletedAt', 'is not', null)
      .orderBy('id'),
  )
  return rows.map(({ id }) => id)
}

/** Deletes the row of an application that is marked as being deleted. */
export async function deleteApplicationRow(tx: Transaction, id: number): Promise<void> {
  await tx.run('oauthApplications.delete', { id }, (db, $) =>
    db.deleteFrom('oauthApplications').where('id', '=', $('id')).where('deletedAt', 'is not', null),
  )
}
