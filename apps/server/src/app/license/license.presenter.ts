import type { InstanceLicense } from '@stithy/core'
import type { LicenseFacts } from './license-facts.ts'

/** Presents the configured tier as a license: for any number of users, without an end. */
export function presentLicense({
  plan,
  startedAt,
  activeUsers,
  historicalMax,
}: LicenseFacts): InstanceLicense {
  const created = new Date(startedAt).toISOString()
  return {
    id: 1,
    plan,
    created_at: created,
    starts_at: created.slice(0, 10),
    expires_at: null,
    historical_max: historicalMax,
    expired: false,
    overage: 0,
    user_limit: 0,
    active_users: activeUsers,
    licensee: {},
    add_ons: {},
  }
}
