import { z } from 'zod'
import { timestamp } from '../../platform/contract/fields.ts'
import { UserRef } from '../users/user.schema.ts'

const requester = UserRef.pick({ id: true, username: true, name: true, state: true }).extend({
  created_at: timestamp,
})

/** A user who asks to become a member of a project or group. */
export const AccessRequest = requester.extend({ requested_at: timestamp })
export type AccessRequest = z.output<typeof AccessRequest>

/** A user whose request was approved, with the level of the new membership. */
export const ApprovedAccessRequest = requester.extend({ access_level: z.int() })
export type ApprovedAccessRequest = z.output<typeof ApprovedAccessRequest>
