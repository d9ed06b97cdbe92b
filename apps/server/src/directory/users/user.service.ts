import {
  type BodyOf,
  choosePassword,
  conflict,
  DomainError,
  invalidParameter,
  notFound,
  type usersContract,
  validationFailed,
} from '@stithy/core'
import {
  findIdentityOwner,
  findTakenNames,
  findUser,
  findUserByUsername,
  isPathTaken,
  isUniqueViolation,
  renameUserNamespace,
  setIdentity,
  type Transaction,
  type UserChanges,
  type UserRow,
  updateUser,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { removeAvatar, saveAvatar } from '../../platform/uploads/avatar-files.ts'
import { isWellFormedLogin } from '../authentication/login-format.ts'
import { hashPassword } from '../authentication/password.ts'
import { addUser } from './add-user.ts'
import { needsConfirmation } from './emails/email-confirmation.service.ts'
import {
  changePrimaryEmail,
  type EmailChange,
  freeAbandonedEmail,
  requestPrimaryConfirmation,
} from './emails/primary-email.service.ts'
import { assertNotLastAdministrator } from './last-administrator.ts'
import { enqueueWelcome } from './mails/password-reset.service.ts'
import { endOldPassword } from './password.service.ts'
import { recordUserChanges } from './user-changes.ts'
import { newUserDefaults } from './user-defaults.ts'
import { columnsOf, identityOf, type UserBody, valueErrors } from './user-values.ts'

/** Loads a user by id. @throws DomainError `not_found`. */
export async function requireUser(app: App, id: number): Promise<UserRow> {
  const user = await findUser(app.db, id)
  if (user === undefined) throw notFound('User')
  return user
}

/** Loads a user by id, other than the ghost user. @throws DomainError `not_found`. */
export async function requireHuman(app: App, id: number): Promise<UserRow> {
  const user = await requireUser(app, id)
  if (user.kind !== 'human') throw notFound('User')
  return user
}

/** Loads a user by id or username. @throws DomainError `not_found`. */
export async function requireUserByRef(app: App, ref: string): Promise<UserRow> {
  if (/^\d{1,15}$/.test(ref)) return requireUser(app, Number(ref))
  const user = isWellFormedLogin(ref) ? await findUserByUsername(app.db, ref) : undefined
  if (user === undefined) throw notFound('User')
  return user
}

/**
 * Creates a user with a personal namespace; `by` is the id of the administrator.
 * @throws DomainError `invalid_parameter`, `validation_failed`, `conflict`.
 */
export async function createUser(
  app: App,
  body: BodyOf<typeof usersContract.create>,
  by: number | null = null,
): Promise<UserRow> {
  const choice = choosePassword(body)
  if (choice.kind === 'missing') throw invalidParameter('password is missing')
  const password = choice.kind === 'given' ? choice.password : undefined
  const identity = identityOf(body)
  const errors = await valueErrors({ ...body, password })
  if (errors !== undefined) throw validationFailed(errors)
  const passwordHash =
    password === undefined ? null : await hashPassword(password, app.config.passwordCost)
  const { email, username, name } = body
  const confirm = needsConfirmation(app, body.skip_confirmation)
  const now = app.now()
  return withAvatar(app, body, (avatar) =>
    app.db.transaction(async (tx) => {
      await freeAbandonedEmail(tx, email, now)
      await assertFree(tx, { username, email, exceptId: 0 }, conflictOf)
      if (await isPathTaken(tx, username)) throw conflictOf('username')
      const columns = {
        ...newUserColumns(app, body),
        email,
        username,
        name,
        avatar: avatar ?? null,
      }
      const values = { ...columns, passwordHash, createdAt: now }
      const id = await addUser(tx, values, { confirmed: !confirm })
      if (confirm) await requestPrimaryConfirmation(tx, { userId: id, email }, { by, now })
      if (body.reset_password) await enqueueWelcome(tx, id, now)
      if (identity !== undefined) await assignIdentity(tx, { userId: id, ...identity })
      const created = { createdUserId: id, userId: by, at: now, now }
      await recordChange(tx, { kind: 'user.created', ...created })
      return reloadUser(tx, id)
    }),
  ).catch((error: unknown) => {
    throw isUniqueViolation(error) ? toConflict(error.columns) : error
  })
}

/** The columns of the body, and the defaults of those that it leaves out. */
function newUserColumns(app: App, body: UserBody): UserChanges {
  const { projectsLimit, external } = newUserDefaults(app)
  const columns = columnsOf(body)
  return {
    ...columns,
    projectsLimit: columns.projectsLimit ?? projectsLimit,
    external: columns.external ?? external,
  }
}

type Names = { username: string; email: string; exceptId: number }

/** Requires that no other user has a name or an address. @throws what `refuse` returns */
export async function assertFree(
  tx: Transaction,
  names: Names,
  refuse: (field: 'email' | 'username') => DomainError,
): Promise<void> {
  const found = await findTakenNames(tx, names)
  if (found.email) throw refuse('email')
  if (found.username) throw refuse('username')
}

/** The conflict of `POST /users` with an existing user. */
export function conflictOf(field: 'email' | 'username'): DomainError {
  const label = field === 'email' ? 'Email' : 'Username'
  return conflict(`${label} has already been taken`)
}

function taken(field: string) {
  return { [field]: ['has already been taken'] }
}

/** Maps a unique violation of a concurrent write to a conflict. */
function toConflict(columns: readonly string[]): DomainError {
  if (columns.includes('emailLower')) return conflictOf('email')
  if (columns.includes('externUid')) return validationFailed(taken('extern_uid'))
  return conflictOf('username')
}

async function assignIdentity(
  tx: Transaction,
  identity: { userId: number; provider: string; externUid: string },
): Promise<void> {
  const owner = await findIdentityOwner(tx, identity)
  if (owner === identity.userId) return
  if (owner !== undefined) throw validationFailed(taken('extern_uid'))
  await setIdentity(tx, identity)
}

async function reloadUser(tx: Transaction, id: number): Promise<UserRow> {
  const row = await findUser(tx, id)
  if (row === undefined) throw new TypeError('A user is missing in the transaction that wrote it')
  return row
}

/** Writes the avatar file before `work`, and removes it if `work` fails. */
export async function withAvatar<T>(
  app: App,
  { avatar: picture }: UserBody,
  work: (avatar: string | undefined) => Promise<T>,
): Promise<T> {
  const avatar = picture === undefined ? undefined : await saveAvatar(app.config, picture)
  try {
    return await work(avatar)
  } catch (error) {
    await removeAvatar(app.config, avatar ?? null)
    throw error
  }
}

/**
 * Updates a user; `by` is the id of the administrator, and `sent` names the parameters in the request, including blank ones: a blank avatar
 * removes it. A new password ends all sessions and must be changed at the next sign-in.
 * @throws DomainError `invalid_parameter`, and `not_found` for every other rejection, as `PUT
 *   /users/:id` answers.
 */
export async function changeUser(
  app: App,
  id: number,
  body: UserBody,
  { sent, by }: { sent: ReadonlySet<string>; by: number | null },
): Promise<UserRow> {
  const before = await requireHuman(app, id)
  const identity = identityOf(body)
  const values = { ...body, password: body.password || undefined }
  const errors = await valueErrors(values)
  if (errors !== undefined) throw refusal(errors)
  const confirm = body.email !== undefined && needsConfirmation(app, body.skip_reconfirmation)
  const secrets = await passwordColumns(app, values.password)
  const row = await withAvatar(app, body, async (picture) => {
    const avatar = picture ?? (sent.has('avatar') ? null : undefined)
    const changes = { ...columnsOf(body), ...secrets, avatar, updatedAt: app.now() }
    return app.db.transaction(async (tx) => {
      if (changes.admin === 0) await assertNotLastAdministrator(tx, id, lastAdministrator)
      await writeChanges(tx, before, changes, { confirm, by, now: app.now() })
      if (identity !== undefined) await assignIdentity(tx, { userId: id, ...identity })
      if (values.password !== undefined) await endOldPassword(tx, { userId: id, now: app.now() })
      return reloadUser(tx, id)
    })
  }).catch((error: unknown) => {
    throw asRefusal(error)
  })
  if (row.avatar !== before.avatar) await removeAvatar(app.config, before.avatar)
  return row
}

async function passwordColumns(app: App, password: string | undefined): Promise<UserChanges> {
  if (password === undefined) return {}
  return {
    passwordHash: await hashPassword(password, app.config.passwordCost),
    mustChangePassword: 1,
  }
}

/**
 * Writes changes of a user, whose namespace and addresses follow.
 * @param refuse the error for a name or address that another user has
 */
export async function writeChanges(
  tx: Transaction,
  before: UserRow,
  changes: UserChanges,
  change: Omit<EmailChange, 'email'>,
  refuse = (field: 'email' | 'username') => refusal(taken(field)),
): Promise<void> {
  const { username = before.username, email = before.email, name = before.name } = changes
  const names = { username, email, exceptId: before.id }
  if (changes.email !== undefined) await freeAbandonedEmail(tx, email, change.now)
  await assertFree(tx, names, refuse)
  const renamed = username !== before.username
  const moved = username.toLowerCase() !== before.usernameLower
  if (moved && (await isPathTaken(tx, username))) throw refuse('username')
  const { email: wanted, ...others } = changes
  const address =
    wanted === undefined ? {} : await changePrimaryEmail(tx, before, { ...change, email: wanted })
  await updateUser(tx, before.id, { ...others, ...address })
  if (renamed || name !== before.name) {
    const now = changes.updatedAt ?? before.updatedAt
    await renameUserNamespace(tx, { userId: before.id, username, name, now }, renamed)
  }
  const by = { userId: change.by, at: change.now, now: change.now }
  await recordUserChanges(tx, before, changes, by)
  if (!renamed) return
  const from = { renamedUserId: before.id, oldUsername: before.username }
  await recordChange(tx, { kind: 'user.renamed', ...by, ...from })
}

function lastAdministrator(): DomainError {
  return refusal({ admin: ['cannot be taken from the last active administrator'] })
}

/** Turns what would be a 400 or 409 elsewhere into a 404. */
function refusal(fields: Record<string, string[]>): DomainError {
  return new DomainError('not_found', { fields })
}

function asRefusal(error: unknown): unknown {
  if (isUniqueViolation(error)) {
    const isEmail = error.columns.includes('emailLower')
    return refusal(taken(isEmail ? 'email' : 'username'))
  }
  if (error instanceof DomainError && error.code === 'validation_failed') {
    return refusal(error.detail.fields ?? {})
  }
  return error
}
