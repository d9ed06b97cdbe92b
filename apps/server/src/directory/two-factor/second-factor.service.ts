import {
  claimTwoFactorAttempt,
  consumeRecoveryCode,
  consumeTwoFactorStep,
  findLastTwoFactorAttempt,
  resetTwoFactorAttempts,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { requestLimitTable } from '../../platform/config/request-limits.ts'
import { countCodeAttempt, TooManySignInsError } from '../authentication/password-sign-in.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { findTotpStep, readTotpCode } from './totp.ts'
import { openTotpSecret } from './totp-secret.ts'

export interface CodeAttempt {
  userId: number
  /** A code of the app, or a recovery code. */
  code: string
  /** IP address of the client. */
  address: string
}

/** An authenticator app, and whether it is in use. */
interface CheckedApp {
  isConfirmed: boolean
}

/** `absent` without an app. */
export type CodeResult = 'right' | 'wrong' | 'absent'

/** For how long the code of an account is not compared after too many wrong ones, in milliseconds. */
const lockMs = 10 * 60_000
const maxAttempts = requestLimitTable.signIn.codesPerAccount.value

/**
 * Checks a code, which is used up: each works once. Wrong ones count as failed sign-ins, like wrong
 * passwords, and per account whatever the network: codes are short. `whenRight` runs in the same
 * transaction if the code is right.
 * @throws TooManySignInsError
 */
export async function checkCode(
  app: App,
  attempt: CodeAttempt,
  { isConfirmed = true, whenRight }: Partial<CheckedApp> & { whenRight?: Continuation } = {},
): Promise<CodeResult> {
  const forget = countCodeAttempt(app, attempt.userId, attempt.address)
  const now = app.now()
  // A wrong code must stay counted, so nothing is thrown, which would roll the count back.
  const result = await app.db
    .transaction(async (tx) => {
      const found = await compare(app, tx, attempt, { isConfirmed, now })
      if (found === 'right') await whenRight?.(tx)
      if (found === 'wrong') await recordWrongCode(tx, attempt.userId, now)
      return found
    })
    .catch((error: unknown) => {
      forget()
      throw error
    })
  if (result !== 'wrong') forget()
  if (result === 'locked') throw await lockedError(app, attempt.userId)
  return result
}

function recordWrongCode(tx: Transaction, failedUserId: number, now: number): Promise<void> {
  const failed = { failedUserId, method: 'two_factor', userId: null, at: now, now } as const
  return recordChange(tx, { kind: 'sign_in.failed', ...failed })
}

type Continuation = (tx: Transaction) => Promise<void>

async function compare(
  { secrets }: App,
  tx: Transaction,
  { userId, code }: CodeAttempt,
  { isConfirmed, now }: CheckedApp & { now: number },
): Promise<CodeResult | 'locked'> {
  const claim = { userId, max: maxAttempts, since: now - lockMs, now }
  const row = await claimTwoFactorAttempt(tx, claim)
  if (row === undefined) {
    return (await findLastTwoFactorAttempt(tx, userId)) === undefined ? 'absent' : 'locked'
  }
  const matches = (row.confirmedAt !== null) === isConfirmed
  if (!matches) return 'absent'
  const digits = readTotpCode(code)
  const stepOf = (stored: string, sent: string) => {
    const secret = openTotpSecret(secrets, userId, stored)
    return secret === undefined ? undefined : findTotpStep(secret, sent, now)
  }
  const isRight =
    digits === undefined
      ? isConfirmed && (await consumeRecoveryCode(tx, { userId, codeHash: hashRecoveryCode(code) }))
      : await useTotp(tx, { userId, step: stepOf(row.secret, digits) })
  if (!isRight) return 'wrong'
  await resetTwoFactorAttempts(tx, userId)
  return 'right'
}

async function useTotp(
  tx: Transaction,
  { userId, step }: { userId: number; step: number | undefined },
): Promise<boolean> {
  return step !== undefined && consumeTwoFactorStep(tx, { userId, step })
}

async function lockedError(app: App, userId: number): Promise<TooManySignInsError> {
  const last = (await findLastTwoFactorAttempt(app.db, userId)) ?? app.now()
  const retryAfter = Math.max(1, Math.ceil((last + lockMs - app.now()) / 1000))
  return new TooManySignInsError({ allowed: false, limit: maxAttempts, remaining: 0, retryAfter })
}
