import { z } from 'zod'

/** A key and value that administrators attach to a user, group or project. */
export const CustomAttribute = z.object({ key: z.string(), value: z.string() })
export type CustomAttribute = z.output<typeof CustomAttribute>
