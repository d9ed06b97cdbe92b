import { z } from 'zod'
import { tokenScopes } from '../../platform/access/scope.ts'
import { day, timestamp } from '../../platform/contract/fields.ts'

/** A token that an administrator created to impersonate a user. */
export const ImpersonationToken = z.object({
  id: z.int(),
  name: z.string(),
  revoked: z.boolean(),
  /** Neither revoked nor expired. */
  active: z.boolean(),
  created_at: timestamp,
  scopes: z.array(z.enum(tokenScopes)),
  /** The token is invalid from the start of this day on, in UTC. */
  expires_at: day.nullable(),
  impersonation: z.literal(true),
})
export type ImpersonationToken = z.output<typeof ImpersonationToken>

/** The response to its creation, the only one that contains the token itself. */
export const NewImpersonationToken = ImpersonationToken.extend({ token: z.string() })
export type NewImpersonationToken = z.output<typeof NewImpersonationToken>
