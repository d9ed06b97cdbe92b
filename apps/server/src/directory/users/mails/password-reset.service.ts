import { randomUUID } from 'node:crypto'
import {
  enqueueJob,
  findPasswordReset,
  findUser,
  findUserIdByEmail,
  savePasswordReset,
  type Transaction,
  takePasswordReset,
} from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { webUrl } from '../../../platform/http/urls.ts'
import type { JobHandler } from '../../../platform/jobs/run-job.ts'
import { enqueueMails, type MailWriter } from '../../../platform/mail/mail.ts'
import { hashPassword } from '../../authentication/password.ts'
import { hashSecret, newSecret } from '../../authentication/secret.ts'
import { setOwnPassword } from '../password.service.ts'
import { writeAccountMail } from './account-mail.ts'

const hour = 60 * 60_000

/** How long a link can be used, in milliseconds, from when its mail is sent. */
const resetLifetimeMs = 2 * hour
/** The same for a new user, who didn't ask for it. */
const welcomeLifetimeMs = 72 * hour

const tokenBytes = 32
/** No token is longer. */
const maxTokenLength = 100

export const passwordResetKind = 'password_reset'
export const welcomeKind = 'welcome'
/** The page on which a link ends. */
export const newPasswordPath = '/users/password/edit'

const resetRequestKind = 'users.request_password_reset'

interface ResetRequest {
  /** Unique per request. */
  key: string
  address: string
}

/**
 * Requests a link for a new password. Whether a user has the address is looked up by a job, so
 * neither the response nor its time says.
 */
export async function requestPasswordReset(app: App, address: string): Promise<void> {
  const payload: ResetRequest = { key: randomUUID(), address }
  const job = { queue: 'users', kind: resetRequestKind, payload }
  await app.db.transaction((tx) => enqueueJob(tx, job, app.now()))
}

/** Enqueues the mail with the link, if an active user has confirmed the address. */
export const requestPasswordResetJob: JobHandler = {
  kind: resetRequestKind,
  async run(app, payload) {
    const { key, address } = payload as ResetRequest
    const userId = await findUserIdByEmail(app.db, address)
    if (userId === undefined) return
    const mail = {
      key: `${passwordResetKind}:${key}`,
      kind: passwordResetKind,
      userId,
      payload: {},
    }
    await app.db.transaction((tx) => enqueueMails(tx, [mail], app.now()))
  },
}

/** Enqueues the mail with which a new user chooses a password (`POST /users`, `reset_password`). */
export async function enqueueWelcome(tx: Transaction, userId: number, now: number): Promise<void> {
  await enqueueMails(
    tx,
    [{ key: `welcome:${userId}`, kind: welcomeKind, userId, payload: {} }],
    now,
  )
}

/** The token is made when the mail is sent, so it is stored as a hash only. */
async function newLink(app: App, userId: number, lifetimeMs: number): Promise<string> {
  const token = newSecret(tokenBytes)
  const reset = { userId, tokenHash: hashSecret(token), expiresAt: app.now() + lifetimeMs }
  await app.db.transaction((tx) => savePasswordReset(tx, reset))
  return webUrl(app.config, `${newPasswordPath.slice(1)}?reset_password_token=${token}`)
}

export const writePasswordReset: MailWriter = (app, mail) =>
  writeAccountMail(app, mail, async ({ id, username }) => {
    // Whoever asked so long ago, of a server that could not be reached, has asked again.
    if (app.now() - mail.createdAt > resetLifetimeMs) return undefined
    return {
      subject: 'Reset your password',
      paragraphs: [
        `Somebody, hopefully you, asked to reset the password of your account ${username}.`,
        { link: await newLink(app, id, resetLifetimeMs), label: 'Choose a new password' },
        'The link works once, within two hours. If it was not you, ignore this mail: your password stays as it is.',
      ],
    }
  })

export const writeWelcome: MailWriter = (app, mail) =>
  writeAccountMail(app, mail, async ({ id, username, email }) => ({
    // Which a new user may not have confirmed yet.
    address: email,
    subject: 'Your account was created',
    paragraphs: [
      `An administrator has created an account for you: ${username}, with the address ${email}.`,
      { link: await newLink(app, id, welcomeLifetimeMs), label: 'Choose a password' },
      'The link works once, within three days. Later, ask for another one on the page for signing in.',
    ],
  }))

/**
 * The user whose password a token changes; undefined for one that is invalid, used or expired, and
 * for a user who is blocked.
 */
export async function findResetUser(app: App, token: string): Promise<number | undefined> {
  if (token === '' || token.length > maxTokenLength) return undefined
  const reset = await findPasswordReset(app.db, hashSecret(token))
  if (reset === undefined || reset.expiresAt <= app.now()) return undefined
  const user = await findUser(app.db, reset.userId)
  return user?.state === 'blocked' ? undefined : user?.id
}

/**
 * Sets a password, which is valid by the rules, with a token that then ends; false if the token is
 * not valid. Ends all sessions of the user, and the other uses of the old password.
 */
export async function resetPassword(app: App, token: string, password: string): Promise<boolean> {
  if ((await findResetUser(app, token)) === undefined) return false
  const passwordHash = await hashPassword(password, app.config.passwordCost)
  const now = app.now()
  return app.db.transaction(async (tx) => {
    const userId = await takePasswordReset(tx, { tokenHash: hashSecret(token), now })
    if (userId === undefined) return false
    await setOwnPassword(tx, userId, { passwordHash, now })
    return true
  })
}
