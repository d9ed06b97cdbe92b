import { DomainError, type FieldErrors, userErrors } from '@stithy/core'
import {
  deleteScimIdentity,
  findScimAccount,
  findScimUser,
  findUser,
  insertScimIdentity,
  isUniqueViolation,
  lockNamespace,
  type ScimGroupRow,
  type ScimUserRow,
  setScimAccount,
  type Transaction,
  updateScimIdentity,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { ensureGroupMember, leaveGroup } from '../members/group-member.service.ts'
import { changeProfile, type Profile, provisionUser } from '../users/provisioned-user.service.ts'
import { fullNameOf, type ScimAttributes } from './scim-attributes.ts'
import { invalidValue, noSuchUser, notUnique, ScimError } from './scim-error.ts'

/** Level of members that are added: Guest. */
const memberLevel = 10

type NewScimUser = Profile & { externUid: string }

/**
 * Creates an account with an identity and a membership in the group. An account that this group
 * has created before, and whose identity was removed since, is used again; no other account is.
 * @throws ScimError
 */
export async function createScimUser(
  app: App,
  group: ScimGroupRow,
  attributes: ScimAttributes,
): Promise<ScimUserRow> {
  const user = requireNewUser(attributes)
  const now = app.now()
  return writing(app, group, async (tx) => {
    const { externUid, userName } = user
    if ((await findScimUser(tx, { groupId: group.id, externUid })) !== undefined) throw taken()
    const known = await findScimAccount(tx, { groupId: group.id, email: user.email })
    const userId = known ?? (await provisionUser(app, tx, user, now))
    await setScimAccount(tx, { groupId: group.id, userId, userName })
    await insertScimIdentity(tx, { groupId: group.id, userId, externUid })
    await ensureGroupMember(tx, { groupId: group.id, userId, accessLevel: memberLevel, now })
    return requireScimUser(tx, group, externUid)
  })
}

/**
 * Changes a user of the group; `active` false removes the identity and the membership, whatever
 * else was sent. Returns undefined then.
 * @throws ScimError
 */
export async function changeScimUser(
  app: App,
  group: ScimGroupRow,
  id: string,
  attributes: ScimAttributes,
): Promise<ScimUserRow | undefined> {
  if (attributes.active === false) {
    await removeScimUser(app, group, id)
    return undefined
  }
  const { externalId: externUid = id } = attributes
  const profile = { ...attributes, name: fullNameOf(attributes) }
  check({ email: profile.email, name: profile.name })
  return writing(app, group, async (tx) => {
    const user = await requireScimUser(tx, group, id)
    if (externUid !== id) {
      await updateScimIdentity(tx, { groupId: group.id, userId: user.userId, externUid })
    }
    await applyProfile(tx, group, user, profile, app.now())
    return requireScimUser(tx, group, externUid)
  })
}

/** Removes the identity and the membership of a user, and keeps the account. @throws ScimError */
export async function removeScimUser(app: App, group: ScimGroupRow, id: string): Promise<void> {
  await writing(app, group, async (tx) => {
    const { userId } = await requireScimUser(tx, group, id)
    await deleteScimIdentity(tx, { groupId: group.id, userId })
    await leaveGroup(tx, { groupId: group.id, userId, by: userId, now: app.now() })
  })
}

/** The user of a group with this id of the client. @throws ScimError 404 */
export async function requireScimUser(
  q: Parameters<typeof findScimUser>[0],
  { id: groupId }: ScimGroupRow,
  externUid: string,
): Promise<ScimUserRow> {
  const user = await findScimUser(q, { groupId, externUid })
  if (user === undefined) throw noSuchUser()
  return user
}

function requireNewUser(attributes: ScimAttributes): NewScimUser {
  const { externalId: externUid, userName, email, active } = attributes
  const name = fullNameOf(attributes)
  if (externUid === undefined) throw invalidValue('externalId is missing.')
  if (userName === undefined) throw invalidValue('userName is missing.')
  if (email === undefined) throw invalidValue('emails are missing.')
  if (name === undefined) throw invalidValue('name is missing.')
  if (active === false) throw invalidValue('A new user must be active.')
  check({ email, name })
  return { externUid, userName, email, name }
}

/** Checks values by the rules for all users. @throws ScimError `invalidValue` */
function check(values: { email?: string | undefined; name?: string | undefined }): void {
  const errors: FieldErrors = userErrors(values) ?? {}
  const [first] = Object.entries(errors)
  if (first !== undefined) throw invalidValue(`${first[0]} ${first[1].join(', ')}.`)
}

/**
 * Changes what differs. Only accounts that the group has created can be changed, and no
 * administrators: who can change an address of one can become one.
 */
async function applyProfile(
  tx: Transaction,
  group: ScimGroupRow,
  user: ScimUserRow,
  wanted: { userName?: string; name?: string | undefined; email?: string },
  now: number,
): Promise<void> {
  const { userId } = user
  const changes: Partial<Profile> = {}
  if (wanted.userName !== undefined && wanted.userName !== user.userName) {
    changes.userName = wanted.userName
  }
  if (wanted.name !== undefined && wanted.name !== user.name) changes.name = wanted.name
  const isNewEmail = wanted.email?.toLowerCase() !== user.email.toLowerCase()
  if (wanted.email !== undefined && isNewEmail) changes.email = wanted.email
  if (Object.keys(changes).length === 0) return
  if (user.userName === null || user.admin === 1) {
    throw new ScimError(403, 'The profile of this user can not be changed here.')
  }
  const before = await findUser(tx, userId)
  if (before === undefined) throw noSuchUser()
  const { userName } = changes
  if (userName !== undefined) await setScimAccount(tx, { groupId: group.id, userId, userName })
  await changeProfile(tx, before, changes, now)
}

function taken(): ScimError {
  return notUnique('A user with this externalId, userName or e-mail address exists.')
}

/** Runs a write while the group is locked, so that it can neither go nor lose its last owner. */
async function writing<T>(
  app: App,
  group: ScimGroupRow,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const run = async (tx: Transaction) => {
    if ((await lockNamespace(tx, group.id)) === undefined) throw noSuchUser()
    return work(tx)
  }
  return app.db.transaction(run).catch((error: unknown) => {
    throw asScimError(error)
  })
}

function asScimError(error: unknown): unknown {
  if (isUniqueViolation(error)) return taken()
  if (!(error instanceof DomainError)) return error
  if (error.code === 'conflict') return notUnique(error.detail.message ?? 'The value is taken.')
  if (error.code !== 'forbidden') return error
  return new ScimError(412, 'The last owner of the group can not be removed.')
}
