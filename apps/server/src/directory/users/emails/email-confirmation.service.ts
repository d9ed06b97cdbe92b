import {
  deleteEmail,
  deletePasswordReset,
  type EmailRow,
  findEmailByToken,
  findUnconfirmedEmail,
  markEmailConfirmed,
  setEmailToken,
  setPrimaryEmail,
  type Transaction,
  updateUser,
} from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { recordChange } from '../../../platform/changes/record-change.ts'
import { hashSecret, newSecret } from '../../authentication/secret.ts'

/** Random bytes of a token. */
const tokenBytes = 32

/** How long a token can be used, in milliseconds: three days. */
const tokenLifetimeMs = 3 * 24 * 60 * 60_000

/** No token is longer. */
const maxTokenLength = 100

/**
 * Whether new primary addresses must be confirmed: by the setting `send_user_confirmation_email`,
 * unless an administrator skips it. Secondary ones always must.
 */
export function needsConfirmation({ settings }: App, skip: boolean | undefined): boolean {
  return skip !== true && settings.send_user_confirmation_email
}

/**
 * Asks for the confirmation of an address, of whichever kind; an earlier token of it ends. Returns
 * the token, which is stored as a hash only. `by` is the id of who added the address.
 */
export async function requestConfirmation(
  tx: Transaction,
  { id, userId, email }: Pick<EmailRow, 'id' | 'userId' | 'email'>,
  { by, now }: { by: number | null; now: number },
): Promise<string> {
  const token = newSecret(tokenBytes)
  const tokenExpiresAt = now + tokenLifetimeMs
  await setEmailToken(tx, { id, tokenHash: hashSecret(token), tokenExpiresAt })
  await recordChange(tx, {
    kind: 'email.confirmation_requested',
    ...{ userId: by, at: now, now },
    ...{ emailId: id, ownerId: userId, address: email, token },
  })
  return token
}

/**
 * Makes a token for an address that is still to be confirmed, in place of an earlier one; undefined
 * if there is nothing to confirm any more. Only the hash of the token is stored.
 */
export async function renewConfirmation(
  app: App,
  { id, userId }: { id: number; userId: number },
): Promise<{ address: string; token: string } | undefined> {
  const token = newSecret(tokenBytes)
  const tokenExpiresAt = app.now() + tokenLifetimeMs
  return app.db.transaction(async (tx) => {
    const row = await findUnconfirmedEmail(tx, { id, userId })
    if (row === undefined) return undefined
    await setEmailToken(tx, { id, tokenHash: hashSecret(token), tokenExpiresAt })
    return { address: row.email, token }
  })
}

/** Whether the address of a user was never confirmed and no longer can be. */
export function isAbandoned({ kind, confirmedAt, tokenExpiresAt }: EmailRow, now: number): boolean {
  return kind !== 'primary' && confirmedAt === null && (tokenExpiresAt ?? 0) <= now
}

/** Confirms the address that a token was sent to; returns whether the token is valid. */
export async function confirmEmail(app: App, token: string): Promise<boolean> {
  if (token === '' || token.length > maxTokenLength) return false
  const now = app.now()
  return app.db.transaction(async (tx) => {
    const tokenHash = hashSecret(token)
    const row = await findEmailByToken(tx, tokenHash)
    if (row === undefined || (row.tokenExpiresAt ?? 0) <= now) return false
    if (!(await markEmailConfirmed(tx, { id: row.id, tokenHash, confirmedAt: now }))) return false
    if (row.kind === 'primary') {
      await updateUser(tx, row.userId, { confirmedAt: now, updatedAt: now })
    }
    if (row.kind === 'pending') await makePrimary(tx, row, now)
    return true
  })
}

/** Replaces the primary address of a user by one that was pending or secondary, and is confirmed. */
export async function makePrimary(
  tx: Transaction,
  { id, userId, email }: EmailRow,
  now: number,
): Promise<void> {
  await deleteEmail(tx, id)
  await setPrimaryEmail(tx, { userId, email, confirmedAt: now })
  await deletePasswordReset(tx, userId)
  await updateUser(tx, userId, { email, confirmedAt: now, updatedAt: now })
}
