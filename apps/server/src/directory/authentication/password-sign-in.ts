import { DomainError, maxPasswordLength } from '@stithy/core'
import { findCredentials } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { CallerUser } from '../../platform/http/caller.ts'
import { clientNetwork } from '../../platform/http/client-network.ts'
import { type RateLimitResult, rateLimitHeaders } from '../../platform/http/rate-limiter.ts'
import { callerUser } from './caller-user.ts'
import { isWellFormedLogin } from './login-format.ts'
import { simulateVerify, verifyPassword } from './password.ts'

export interface PasswordAttempt {
  /** Username or e-mail address. */
  login: string
  password: string
  /** IP address of the client. */
  address: string
  /** Aborts when the client disconnects: an attempt that still waits is dropped, and not counted. */
  signal?: AbortSignal
}

/** Outcome of a sign-in; `invalid` does not reveal whether the user exists. */
export type PasswordResult =
  | { kind: 'user'; user: CallerUser; twoFactorEnabled: boolean }
  | { kind: 'blocked' }
  | { kind: 'invalid' }

/** Too many sign-ins failed within a minute. */
export class TooManySignInsError extends DomainError {
  readonly headers: Readonly<Record<string, string>>

  constructor(rateLimit: RateLimitResult) {
    const { retryAfter } = rateLimit
    super('too_many_requests', {
      message: 'Too many failed sign-ins. Try again later.',
      retryAfter,
    })
    this.headers = { 'Retry-After': String(retryAfter), ...rateLimitHeaders(rateLimit) }
  }
}

/** Headers of the response to too many sign-ins; empty for any other error. */
export function signInHeaders(error: unknown): Readonly<Record<string, string>> {
  return error instanceof TooManySignInsError ? error.headers : {}
}

/**
 * Checks a login and a password; an unknown login takes as long as a wrong password.
 * @throws TooManySignInsError after ten failures a minute per account, whichever login name was
 *   used, and after 60 per network.
 * @throws DomainError `unavailable` while too many other passwords are being checked.
 */
export async function authenticatePassword(
  app: App,
  attempt: PasswordAttempt,
): Promise<PasswordResult> {
  const account = await findAccount(app, attempt.login)
  const network = clientNetwork(attempt.address)
  const forget = countAttempt(app, `${limiterKey(attempt.login, account)} ${network}`, network)
  const result = await check(app, attempt, account).catch((error: unknown) => {
    forget()
    throw error
  })
  if (result.kind !== 'invalid') forget()
  return result
}

/**
 * Counts an attempt before its outcome is known, or a hundred concurrent ones would all be allowed;
 * the returned function subtracts it again.
 */
function countAttempt({ signInLimiters }: App, account: string, network: string): () => void {
  const counts = [
    { limiter: signInLimiters.account, key: account },
    { limiter: signInLimiters.network, key: network },
  ]
  const counted: typeof counts = []
  const forget = () => {
    for (const { limiter, key } of counted) limiter.decrement(key)
  }
  for (const count of counts) {
    const rateLimit = count.limiter.hit(count.key)
    if (!rateLimit.allowed) {
      forget()
      throw new TooManySignInsError(rateLimit)
    }
    counted.push(count)
  }
  return forget
}

type Account = NonNullable<Awaited<ReturnType<typeof findCredentials>>>

async function findAccount(app: App, login: string): Promise<Account | undefined> {
  return isWellFormedLogin(login) ? findCredentials(app.db, login) : undefined
}

/**
 * The rate limiter's key: one per account, whichever login name was used, and one per unknown
 * login.
 */
function limiterKey(login: string, account: Account | undefined): string {
  return account === undefined ? `login ${login.slice(0, 255).toLowerCase()}` : `user ${account.id}`
}

async function check(
  app: App,
  { password, signal }: PasswordAttempt,
  account: Account | undefined,
): Promise<PasswordResult> {
  const tried = password.slice(0, maxPasswordLength)
  if (account === undefined || account.passwordHash === null || tried !== password) {
    await simulateVerify(tried, app.config.passwordCost, signal)
    return { kind: 'invalid' }
  }
  if (!(await verifyPassword(password, account.passwordHash, signal))) return { kind: 'invalid' }
  if (account.state === 'blocked') return { kind: 'blocked' }
  return {
    kind: 'user',
    user: callerUser(account),
    twoFactorEnabled: account.twoFactorEnabled === 1,
  }
}
