import { z } from 'zod'
import { commitFields } from '../commits/commit.schema.ts'

/** A branch and its newest commit. */
export const Branch = z.object({
  name: z.string(),
  merged: z.boolean(),
  protected: z.boolean(),
  default: z.boolean(),
  developers_can_push: z.boolean(),
  developers_can_merge: z.boolean(),
  can_push: z.boolean(),
  commit: z.object(commitFields),
})
export type Branch = z.output<typeof Branch>
