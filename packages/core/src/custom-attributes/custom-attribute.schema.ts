import { z } from 'zod'

/** A note of an administrator on a user, a group or a project. */
export const CustomAttribute = z.object({ key: z.string(), value: z.string() })
export type CustomAttribute = z.output<typeof CustomAttribute>
