import { z } from 'zod'

/** The most secondary e-mail addresses of a user. */
export const maxSecondaryEmails = 100

/** A secondary e-mail address of a user. */
export const Email = z.object({ id: z.int(), email: z.string() })
export type Email = z.output<typeof Email>
