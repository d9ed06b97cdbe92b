import type { Tier } from '../../platform/config/config.ts'

/** What a license shows. */
export interface LicenseFacts {
  plan: Exclude<Tier, 'community'>
  /** When the first user was created, in milliseconds since the epoch. */
  startedAt: number
  activeUsers: number
  historicalMax: number
}
