import { notFound } from '@stithy/core'
import { countLicensedUsers, findInstanceStart, raiseHistoricalMax } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { LicenseFacts } from './license-facts.ts'

/** The configured tier as a license; undefined in the community tier. Three queries. */
export async function findLicense(app: App): Promise<LicenseFacts | undefined> {
  const plan = app.config.tier
  if (plan === 'community') return undefined
  const { activeUsers, historicalMax } = await recordActiveUsers(app)
  const startedAt = (await findInstanceStart(app.db)) ?? app.now()
  return { plan, startedAt, activeUsers, historicalMax }
}

/** @throws DomainError `not_found` in the community tier */
export async function requireLicense(app: App): Promise<LicenseFacts> {
  const license = await findLicense(app)
  if (license === undefined) throw notFound('License')
  return license
}

/** Counts the active users, and keeps the highest number so far. */
export async function recordActiveUsers(
  app: App,
): Promise<{ activeUsers: number; historicalMax: number }> {
  const activeUsers = await countLicensedUsers(app.db)
  return { activeUsers, historicalMax: await raiseHistoricalMax(app.db, activeUsers) }
}
