import { conflict, pathErrors, pathFromName, trimCharacters } from '@stithy/core'
import {
  findTakenNames,
  isPathTaken,
  type Transaction,
  type UserChanges,
  type UserRow,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { addUser } from './add-user.ts'
import { freeAbandonedEmail, requestPrimaryConfirmation } from './emails/primary-email.service.ts'
import { assertFree, conflictOf, writeChanges } from './user.service.ts'
import { newUserDefaults } from './user-defaults.ts'

/** What a client that provisions accounts says of a user. */
export interface Profile {
  /** A name that the client uses to sign in users, often an e-mail address. */
  userName: string
  name: string
  email: string
}

/** How many usernames are tried: `jane`, `jane1`... */
const maxAttempts = 20

/**
 * Creates a user without a password on behalf of someone who is no administrator, so the user must
 * confirm the address. Returns the id.
 * @throws DomainError `conflict`
 */
export async function provisionUser(
  app: App,
  tx: Transaction,
  { userName, name, email }: Profile,
  now: number,
): Promise<number> {
  await freeAbandonedEmail(tx, email, now)
  await assertFree(tx, { username: '', email, exceptId: 0 }, conflictOf)
  const username = await freeUsername(tx, userName, undefined)
  const values = {
    ...newUserDefaults(app),
    ...{ username, name, email, passwordHash: null, createdAt: now },
  }
  const userId = await addUser(tx, values, { confirmed: false })
  await requestPrimaryConfirmation(tx, { userId, email }, { by: null, now })
  const by = { userId: null, at: now, now }
  await recordChange(tx, { kind: 'user.created', ...by, createdUserId: userId })
  return userId
}

/**
 * Changes the profile of a user; a new address must be confirmed before it replaces the current
 * one.
 * @throws DomainError `conflict`
 */
export async function changeProfile(
  tx: Transaction,
  before: UserRow,
  { userName, name, email }: Partial<Profile>,
  now: number,
): Promise<void> {
  const changes: UserChanges = { updatedAt: now }
  if (userName !== undefined) changes.username = await freeUsername(tx, userName, before)
  if (name !== undefined) changes.name = name
  if (email !== undefined) changes.email = email
  await writeChanges(tx, before, changes, { confirm: true, by: null, now }, conflictOf)
}

/** A username like the name that nobody has but `owner`. */
async function freeUsername(
  tx: Transaction,
  userName: string,
  owner: UserRow | undefined,
): Promise<string> {
  const base = usernameBase(userName)
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const username = attempt === 0 ? base : `${base}${attempt}`
    if (username.toLowerCase() === owner?.usernameLower) return owner.username
    if (pathErrors(username, 'top').length > 0) continue
    const found = await findTakenNames(tx, { username, email: '', exceptId: 0 })
    if (!found.username && !(await isPathTaken(tx, username))) return username
  }
  throw conflict('No username like this is free')
}

/** `Jane.Doe@corp.test` → `jane.doe`; room is left for a number. */
function usernameBase(userName: string): string {
  const at = userName.indexOf('@')
  const slug = pathFromName(at > 0 ? userName.slice(0, at) : userName).slice(0, 240)
  const base = trimCharacters(slug, '-.')
  return base === '' || base === 'ghost' ? 'user' : base
}
