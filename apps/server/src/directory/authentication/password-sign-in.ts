import { DomainError, forbidden, maxPasswordLength } from '@stithy/core'
import { findCredentials, type TwoFactorStateRow } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { CallerUser } from '../../platform/http/caller.ts'
import { clientNetwork } from '../../platform/http/client-network.ts'
import { type RateLimitResult, rateLimitHeaders } from '../../platform/http/rate-limiter.ts'
import { currentRequest, runInRequest } from '../../platform/http/request-context.ts'
import { callerUser } from './caller-user.ts'
import { isWellFormedLogin } from './login-format.ts'
import { simulateVerify, verifyPassword } from './password.ts'
import { findTwoFactorRequirement } from './two-factor-requirement.ts'

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
  | { kind: 'user'; user: CallerUser; twoFactorEnabled: boolean; twoFactor: TwoFactorStateRow }
  | { kind: 'blocked' }
  /** The address has to be confirmed first. */
  | { kind: 'unconfirmed' }
  | { kind: 'invalid' }

/** What users are told whose address has to be confirmed first. */
export const unconfirmedText = 'You have to confirm your e-mail address before you continue.'

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
 * Signs in where nobody can be asked for a code: the password of Git over HTTP, the password grant
 * of OAuth. Two-factor authentication that is on, or overdue, makes a password insufficient.
 * @throws TooManySignInsError
 * @throws DomainError `unauthorized` with a sentence for the user; `forbidden` for users who are
 *   blocked, or must change their password; `unavailable`.
 */
export async function passwordSignIn(app: App, attempt: PasswordAttempt): Promise<CallerUser> {
  const result = await authenticatePassword(app, attempt)
  if (result.kind === 'invalid') {
    const message = 'The user name, password or token is wrong.'
    throw new DomainError('unauthorized', { message })
  }
  if (result.kind === 'blocked') throw forbidden('Your account has been blocked.')
  if (result.kind === 'unconfirmed') throw forbidden(unconfirmedText)
  const { user, twoFactor } = result
  const requirement = await findTwoFactorRequirement(app, { ...twoFactor, id: user.id })
  if (result.twoFactorEnabled || requirement?.isOverdue) {
    const reason = result.twoFactorEnabled ? 'is on' : 'must be set up'
    const message = `Use a personal access token as the password: two-factor sign-in ${reason}.`
    throw new DomainError('unauthorized', { message })
  }
  if (user.mustChangePassword) {
    throw forbidden('You must change your password first: sign in with a browser.')
  }
  return user
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
  const forget = countAttempt(app, limiterKey(attempt.login, account), attempt.address)
  // What Git and OAuth clients send is no call of the API, so nothing else names the client.
  const request = currentRequest() ?? { address: attempt.address, user: null }
  const checked = runInRequest(request, () => check(app, attempt, account))
  const result = await checked.catch((error: unknown) => {
    forget()
    throw error
  })
  if (result.kind !== 'invalid') forget()
  return result
}

/**
 * Counts an attempt to sign in to a user's account with a code, together with those with a password.
 * The returned function subtracts it again, when the code was right.
 * @throws TooManySignInsError
 */
export function countCodeAttempt(app: App, userId: number, address: string): () => void {
  return countAttempt(app, accountKey(userId), address)
}

/**
 * Counts an attempt before its outcome is known, or a hundred concurrent ones would all be allowed;
 * the returned function subtracts it again.
 */
function countAttempt({ signInLimiters }: App, account: string, address: string): () => void {
  const network = clientNetwork(address)
  const counts = [
    { limiter: signInLimiters.account, key: `${account} ${network}` },
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
  return account === undefined
    ? `login ${login.slice(0, 255).toLowerCase()}`
    : accountKey(account.id)
}

function accountKey(userId: number): string {
  return `user ${userId}`
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
  if (!(await verifyPassword(password, account.passwordHash, signal))) {
    recordWrongPassword(app, account.id)
    return { kind: 'invalid' }
  }
  if (account.state === 'blocked') {
    await recordFailedLogin(app, account.id)
    return { kind: 'blocked' }
  }
  const { send_user_confirmation_email: needsConfirmation } = app.settings
  if (needsConfirmation && account.confirmedAt === null) return { kind: 'unconfirmed' }
  return {
    kind: 'user',
    user: callerUser(account),
    twoFactorEnabled: account.twoFactorEnabled === 1,
    twoFactor: {
      twoFactorEnabled: account.twoFactorEnabled,
      twoFactorGraceStartedAt: account.twoFactorGraceStartedAt,
      twoFactorIsRequired: account.twoFactorIsRequired,
    },
  }
}

/** Not awaited: a write that unknown accounts lack would tell them from others by the time. */
function recordWrongPassword(app: App, failedUserId: number): void {
  const now = app.now()
  const failed = { failedUserId, method: 'password', userId: null, at: now, now } as const
  app.db
    .transaction((tx) => recordChange(tx, { kind: 'sign_in.failed', ...failed }))
    .catch((error: unknown) => app.log.error({ err: error }, 'a failed sign-in was not recorded'))
}

async function recordFailedLogin(app: App, failedUserId: number): Promise<void> {
  const now = app.now()
  const by = { userId: null, at: now, now }
  await app.db.transaction((tx) =>
    recordChange(tx, { kind: 'user.failed_login', ...by, failedUserId }),
  )
}
