import { z } from 'zod'

/** The token of a group's SCIM client, shown once. */
export const ScimToken = z.object({ token: z.string() })
export type ScimToken = z.output<typeof ScimToken>
