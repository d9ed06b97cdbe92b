import { DomainError, maxPasswordLength } from '@stithy/core'
import { findCredentials } from '@stithy/store'
import type { App } from '../app.ts'
import { type CallerUser, callerUser } from './caller.ts'
import { isNameLike } from './name-like.ts'
import { pretendToVerify, verifyPassword } from './password.ts'
import { type RateVerdict, rateLimitHeaders } from './rate-limiter.ts'

export interface PasswordAttempt {
  /** Username or e-mail address. */
  login: string
  password: string
  /** Where the attempt comes from. */
  address: string
}

/** What came of it; `invalid` says nothing of whether there is such a user. */
export type PasswordResult =
  | { kind: 'user'; user: CallerUser; twoFactorEnabled: boolean }
  | { kind: 'blocked' }
  | { kind: 'invalid' }

/** Ten sign-ins failed within a minute (decisions: rate limits). */
export class TooManySignInsError extends DomainError {
  readonly headers: Readonly<Record<string, string>>

  constructor(verdict: RateVerdict) {
    const { retryAfter } = verdict
    super('too_many_requests', {
      message: 'Too many failed sign-ins. Try again later.',
      retryAfter,
    })
    this.headers = { 'Retry-After': String(retryAfter), ...rateLimitHeaders(verdict) }
  }
}

/** The headers that an answer to too many sign-ins carries; none for any other error. */
export function signInHeaders(error: unknown): Readonly<Record<string, string>> {
  return error instanceof TooManySignInsError ? error.headers : {}
}

/**
 * Checks a login and a password; unknown logins take as long as wrong passwords.
 * @throws TooManySignInsError after ten failures a minute, however the account was named.
 */
export async function authenticatePassword(
  app: App,
  attempt: PasswordAttempt,
): Promise<PasswordResult> {
  const { signInLimiter } = app
  const known = await findAccount(app, attempt.login)
  const key = `${limitedName(attempt.login, known)} ${attempt.address}`
  // Counted before it is known to fail, or a hundred tries at the same time would all be allowed.
  const verdict = signInLimiter.hit(key)
  if (!verdict.allowed) throw new TooManySignInsError(verdict)
  const result = await check(app, attempt.password, known)
  if (result.kind !== 'invalid') signInLimiter.forgive(key)
  return result
}

type Account = NonNullable<Awaited<ReturnType<typeof findCredentials>>>

async function findAccount(app: App, login: string): Promise<Account | undefined> {
  return isNameLike(login) ? findCredentials(app.db, login) : undefined
}

/** An account has one limit, whatever it is called by; a login without an account has one as well. */
function limitedName(login: string, known: Account | undefined): string {
  return known === undefined ? `login ${login.slice(0, 255).toLowerCase()}` : `user ${known.id}`
}

async function check(
  app: App,
  password: string,
  known: Account | undefined,
): Promise<PasswordResult> {
  const tried = password.slice(0, maxPasswordLength)
  if (known === undefined || known.passwordHash === null || tried !== password) {
    await pretendToVerify(tried, app.config.passwordCost)
    return { kind: 'invalid' }
  }
  if (!(await verifyPassword(password, known.passwordHash))) return { kind: 'invalid' }
  if (known.state === 'blocked') return { kind: 'blocked' }
  return {
    kind: 'user',
    user: callerUser(known),
    twoFactorEnabled: known.twoFactorEnabled === 1,
  }
}
