import { z } from 'zod'
import { day, timestamp } from '../../platform/contract/fields.ts'

/** The paid tier that the server is configured for, in the shape of a license. */
export const InstanceLicense = z.object({
  id: z.int(),
  plan: z.enum(['premium', 'ultimate']),
  created_at: timestamp,
  starts_at: day,
  /** Null: the tier does not expire. */
  expires_at: day.nullable(),
  /** The highest number of active users so far, counted once a day and with this call. */
  historical_max: z.int(),
  expired: z.boolean(),
  /** Active users beyond `user_limit`. */
  overage: z.int(),
  /** 0 for no limit. */
  user_limit: z.int(),
  active_users: z.int(),
  licensee: z.record(z.string(), z.string()),
  add_ons: z.record(z.string(), z.int()),
})
export type InstanceLicense = z.output<typeof InstanceLicense>

/** A license as lists show it. */
export const ListedInstanceLicense = InstanceLicense.omit({ active_users: true })
export type ListedInstanceLicense = z.output<typeof ListedInstanceLicense>
