import { badRequest, forbidden } from '@stithy/core'
import {
  countRecoveryCodes,
  disableTwoFactor,
  enableTwoFactor,
  findTwoFactor,
  setRecoveryCodes,
  setTwoFactorSecret,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { ChangeKind } from '../../platform/changes/change.ts'
import { changeByCaller } from '../../platform/changes/change-by-caller.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { authenticatePassword } from '../authentication/password-sign-in.ts'
import { requireUser } from '../users/user.service.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import { checkCode } from './second-factor.service.ts'
import { newTotpSecret, otpauthUrl } from './totp.ts'
import { openTotpSecret, sealTotpSecret } from './totp-secret.ts'

/** The user whose two-factor authentication is changed. */
interface Owner {
  id: number
  username: string
}

/** What an authenticator app needs. */
export interface AuthenticatorSetup {
  /** Base32. */
  secret: string
  otpauthUrl: string
}

/** Whether two-factor authentication is on, and how many recovery codes are left. Two queries. */
export async function viewTwoFactor(
  app: App,
  userId: number,
): Promise<{ enabled: boolean; recoveryCodesLeft: number }> {
  const row = await findTwoFactor(app.db, userId)
  const enabled = row !== undefined && row.confirmedAt !== null
  return { enabled, recoveryCodesLeft: enabled ? await countRecoveryCodes(app.db, userId) : 0 }
}

/**
 * Sets up an authenticator app with a new secret; it has no effect until it is confirmed.
 * @throws DomainError `bad_request` if two-factor authentication is on.
 */
export async function setUpTwoFactor(app: App, user: Owner): Promise<AuthenticatorSetup> {
  const secret = newTotpSecret()
  const stored = sealTotpSecret(app.secrets, user.id, secret)
  const args = { userId: user.id, secret: stored, createdAt: app.now() }
  if (!(await app.db.transaction((tx) => setTwoFactorSecret(tx, args)))) {
    throw badRequest('Two-factor authentication is already enabled')
  }
  return setupOf(app, user, secret)
}

/** The app that is being set up, with the secret that was shown before; a new one without it. */
export async function resumeTwoFactorSetup(app: App, user: Owner): Promise<AuthenticatorSetup> {
  const row = await findTwoFactor(app.db, user.id)
  const isPending = row !== undefined && row.confirmedAt === null
  const secret = isPending ? openTotpSecret(app.secrets, user.id, row.secret) : undefined
  return secret === undefined ? setUpTwoFactor(app, user) : setupOf(app, user, secret)
}

function setupOf(app: App, user: Owner, secret: string): AuthenticatorSetup {
  const { host } = new URL(app.config.externalUrl)
  const names = { issuer: 'Stithy', label: `${user.username}@${host}` }
  return { secret, otpauthUrl: otpauthUrl(secret, names) }
}

/** What shows that the user sends the request: one of the two. */
export interface Proof {
  otp?: string | undefined
  password?: string | undefined
  /** IP address of the client; undefined for requests with a token, which count by user. */
  address?: string | undefined
  /** Aborts when the client disconnects. */
  signal?: AbortSignal
}

/**
 * Turns two-factor authentication on, with a code of the app that was set up. Returns the recovery
 * codes.
 * @throws TooManySignInsError
 * @throws DomainError `bad_request` for a wrong code, and without an app to confirm.
 */
export async function confirmTwoFactor(
  app: App,
  { id: userId }: Owner,
  { otp = '', address = addressOf(userId) }: Proof,
): Promise<string[]> {
  const codes = newRecoveryCodes()
  const result = await checkCode(
    app,
    { userId, code: otp, address },
    {
      isConfirmed: false,
      async whenRight(tx) {
        await enableTwoFactor(tx, { userId, now: app.now() })
        await storeRecoveryCodes(tx, userId, codes)
        await record(tx, 'two_factor.enabled', userId, app.now())
      },
    },
  )
  if (result === 'absent') throw badRequest('Set up an authenticator app first')
  if (result === 'wrong') throw wrongCode()
  return codes
}

/**
 * Replaces the recovery codes.
 * @throws TooManySignInsError
 * @throws DomainError `bad_request` for a wrong code or password, and if there is nothing to do.
 */
export async function replaceRecoveryCodes(app: App, user: Owner, proof: Proof): Promise<string[]> {
  const codes = newRecoveryCodes()
  await withProof(app, user, proof, async (tx) => {
    await storeRecoveryCodes(tx, user.id, codes)
    await record(tx, 'two_factor.recovery_codes_replaced', user.id, app.now())
  })
  return codes
}

/**
 * Turns the caller's own two-factor authentication off. If it is required, its grace period does not
 * start again.
 * @throws TooManySignInsError
 * @throws DomainError `bad_request` for a wrong code or password, and if it is off.
 */
export async function turnOffTwoFactor(app: App, user: Owner, proof: Proof): Promise<void> {
  await withProof(app, user, proof, async (tx) => {
    await disableTwoFactor(tx, { userId: user.id, now: app.now(), restartGrace: false })
    await record(tx, 'two_factor.disabled', user.id, app.now())
  })
}

/** Does something to a user's two-factor authentication after checking a code or the password. */
async function withProof(
  app: App,
  user: Owner,
  { otp, password, address = addressOf(user.id), signal }: Proof,
  work: (tx: Transaction) => Promise<void>,
): Promise<void> {
  if (otp !== undefined) {
    const result = await checkCode(
      app,
      { userId: user.id, code: otp, address },
      { whenRight: work },
    )
    if (result === 'absent') throw notEnabled()
    if (result === 'wrong') throw wrongCode()
    return
  }
  if (!(await viewTwoFactor(app, user.id)).enabled) throw notEnabled()
  const attempt = { login: user.username, password: password ?? '', address }
  const result = await authenticatePassword(app, { ...attempt, ...(signal && { signal }) })
  if (result.kind !== 'user') throw badRequest('The password is wrong')
  await app.db.transaction(async (tx) => {
    const row = await findTwoFactor(tx, user.id)
    if (row === undefined || row.confirmedAt === null) throw notEnabled()
    await work(tx)
  })
}

/**
 * Turns a user's two-factor authentication off, as `resetTwoFactor` does, for an administrator.
 * @throws DomainError `not_found`; `forbidden` for administrators, each of whom could otherwise take
 *   over the others; `bad_request` if it is off.
 */
export async function turnOffTwoFactorOf(app: App, userId: number): Promise<void> {
  const user = await requireUser(app, userId)
  if (user.admin === 1) {
    throw forbidden(
      'Two-factor authentication of administrators cannot be disabled through the API',
    )
  }
  await resetTwoFactor(app, userId)
}

/**
 * Turns a user's two-factor authentication off, for those who have lost their app. If it is required,
 * its grace period starts again at their next sign-in.
 * @throws DomainError `bad_request` if it is off.
 */
export async function resetTwoFactor(app: App, userId: number): Promise<void> {
  const args = { userId, now: app.now(), restartGrace: true }
  await app.db.transaction(async (tx) => {
    if (!(await disableTwoFactor(tx, args))) throw notEnabled()
    await record(tx, 'two_factor.disabled', userId, args.now)
  })
}

function record(
  tx: Transaction,
  kind: Extract<ChangeKind, `two_factor.${string}`>,
  ownerId: number,
  now: number,
): Promise<void> {
  return recordChange(tx, { kind, ...changeByCaller(now), ownerId })
}

function storeRecoveryCodes(
  tx: Transaction,
  userId: number,
  codes: readonly string[],
): Promise<void> {
  return setRecoveryCodes(tx, { userId, hashes: codes.map(hashRecoveryCode) })
}

/** Failures of a token count against its user: it may be in the wrong hands. */
function addressOf(userId: number): string {
  return `two-factor settings of user ${userId}`
}

function wrongCode() {
  return badRequest('The code is wrong, or was used already')
}

function notEnabled() {
  return badRequest('Two-factor authentication is not enabled for this user')
}
