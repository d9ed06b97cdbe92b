import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { CallerUser } from '../../platform/http/caller.ts'
import { endPending } from '../authentication/pending-sign-in.ts'
import { startSession } from '../authentication/session.ts'
import { twoFactorPagePath } from '../authentication/two-factor-requirement.ts'
import { recordSignIn } from '../users/sign-in-record.ts'
import { dropSession, passwordPagePath, setSessionCookie } from './browser.ts'
import { clearFormCookie } from './form-cookie.ts'
import { withReturn } from './return-path.ts'

export interface Opening {
  user: CallerUser
  remember: boolean
  /** Path to redirect to. */
  target: string
  /** The user lacks two-factor authentication that is required: its page comes first. */
  needsTwoFactor?: boolean
  /** The cookie of the first step, which opens one session only. */
  pendingCookie?: string
}

/**
 * Opens a session with a new id at every sign-in, against session fixation, and returns the path to
 * redirect to. Undefined if the first step was used or withdrawn meanwhile.
 */
export async function openSession(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { user, remember, target, needsTwoFactor, pendingCookie }: Opening,
): Promise<string | undefined> {
  const now = app.now()
  const cookie = await app.db.transaction(async (tx) => {
    if (pendingCookie !== undefined && !(await endPending(tx, pendingCookie))) return undefined
    await recordSignIn(tx, user.id, now)
    const method = pendingCookie === undefined ? 'password' : 'two_factor'
    const by = { userId: user.id, at: now, now }
    await recordChange(tx, { kind: 'sign_in.succeeded', ...by, signedInUserId: user.id, method })
    return startSession(app, tx, { userId: user.id, remember, now })
  })
  if (cookie === undefined) return undefined
  await dropSession(app, request)
  setSessionCookie(app, request, reply, { cookie, remember })
  clearFormCookie(app, request, reply)
  const afterPassword = needsTwoFactor ? withReturn(twoFactorPagePath, target) : target
  return user.mustChangePassword ? withReturn(passwordPagePath, afterPassword) : afterPassword
}
