import { z } from 'zod'
import { commitFields } from '../commits/commit.schema.ts'

/** Commits that only one of a branch and the default branch has. */
export const Divergence = z.object({
  /** Of the branch. */
  ahead: z.number().int(),
  /** Of the default branch. */
  behind: z.number().int(),
})
export type Divergence = z.output<typeof Divergence>

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
  /** With `with_divergence`; null if counting takes too long. */
  divergence: Divergence.nullable().optional(),
})
export type Branch = z.output<typeof Branch>
