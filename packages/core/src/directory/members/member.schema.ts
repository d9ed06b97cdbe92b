import { z } from 'zod'
import { day } from '../../platform/contract/fields.ts'
import { UserRef } from '../users/user.schema.ts'

/** A user with the access level of a membership. */
export const Member = UserRef.extend({
  access_level: z.int(),
  /** The last day of the membership. */
  expires_at: day.nullable(),
})
export type Member = z.output<typeof Member>
