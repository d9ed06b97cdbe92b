import {
  clearTwoFactorGrace,
  findGroupTwoFactorGrace,
  startTwoFactorGrace,
  type TwoFactorStateRow,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'

/** Path of the page on which users set up two-factor authentication. */
export const twoFactorPagePath = '/-/profile/two_factor_auth'

/** Two-factor authentication that a user lacks, and must set up. */
export interface TwoFactorRequirement {
  /** Milliseconds since the epoch; until then it may be put off. */
  deadline: number
  isOverdue: boolean
}

const hourMs = 3_600_000

type User = { id: number } & TwoFactorStateRow

/**
 * Whether a user still has to set up two-factor authentication, by the application settings or by a
 * group; undefined if not. The shortest grace period counts, from the first time that this is asked.
 * At most two queries; none for users who have it, and none while nobody requires it, so that a
 * request with a session needs no more than its look-up.
 */
export async function findTwoFactorRequirement(
  app: App,
  user: User,
): Promise<TwoFactorRequirement | undefined> {
  if (user.twoFactorEnabled === 1 || user.twoFactorIsRequired === 0) return undefined
  const hours = await requiredGraceHours(app, user.id)
  if (hours === undefined) return undefined
  const now = app.now()
  const startedAt = user.twoFactorGraceStartedAt ?? now
  if (user.twoFactorGraceStartedAt === null) {
    await startTwoFactorGrace(app.db, { userId: user.id, now })
  }
  const deadline = startedAt + hours * hourMs
  return { deadline, isOverdue: deadline <= now }
}

/**
 * The same at a sign-in, which also forgets a grace period of a requirement that has been lifted: a
 * later one starts anew.
 */
export async function findTwoFactorRequirementAtSignIn(
  app: App,
  user: User,
): Promise<TwoFactorRequirement | undefined> {
  const requirement = await findTwoFactorRequirement(app, user)
  const isLifted = requirement === undefined && user.twoFactorEnabled === 0
  if (isLifted && user.twoFactorGraceStartedAt !== null) await clearTwoFactorGrace(app.db, user.id)
  return requirement
}

/** The shortest grace period that applies to a user, in hours; undefined if nothing is required. */
async function requiredGraceHours(app: App, userId: number): Promise<number | undefined> {
  const today = dayOf(app.now())
  const ofGroups = await findGroupTwoFactorGrace(app.db, { userId, today })
  const { require_two_factor_authentication: isRequired } = app.settings
  if (!isRequired) return ofGroups
  const { two_factor_grace_period: ofInstance } = app.settings
  return ofGroups === undefined ? ofInstance : Math.min(ofInstance, ofGroups)
}
