import { z } from 'zod'
import { tokenScopes } from '../access/scope.ts'
import { day, timestamp } from '../contract/fields.ts'

/** A token that an administrator made for somebody else (catalogue: users, Impersonation tokens). */
export const ImpersonationToken = z.object({
  id: z.int(),
  name: z.string(),
  revoked: z.boolean(),
  /** Neither revoked nor expired. */
  active: z.boolean(),
  created_at: timestamp,
  scopes: z.array(z.enum(tokenScopes)),
  /** From the start of this day, in UTC, the token is of no use. */
  expires_at: day.nullable(),
  impersonation: z.literal(true),
})
export type ImpersonationToken = z.output<typeof ImpersonationToken>

/** The answer of its creation, the only one that holds the token itself. */
export const NewImpersonationToken = ImpersonationToken.extend({ token: z.string() })
export type NewImpersonationToken = z.output<typeof NewImpersonationToken>
