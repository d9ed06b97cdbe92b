import { z } from 'zod'
import { integer, objectList, oneOfNumbers, optional } from '../contract/fields.ts'

/** Levels that a protection may ask for (document 2, Protected branches). */
export const protectedBranchLevels = [0, 30, 40, 60] as const

/** Who may do one thing to a protected branch: a level, a user or a group (document 1). */
export const BranchAccessLevel = z.object({
  access_level: z.int().nullable(),
  user_id: z.int().nullable(),
  group_id: z.int().nullable(),
  access_level_description: z.string(),
})
export type BranchAccessLevel = z.output<typeof BranchAccessLevel>

/** A branch, or all that a wildcard matches, that not everybody may push to (document 2). */
export const ProtectedBranch = z.object({
  name: z.string(),
  push_access_levels: z.array(BranchAccessLevel),
  merge_access_levels: z.array(BranchAccessLevel),
})
export type ProtectedBranch = z.output<typeof ProtectedBranch>

/** One protected branch, with those who may undo that. */
export const ProtectedBranchDetail = ProtectedBranch.extend({
  unprotect_access_levels: z.array(BranchAccessLevel),
})
export type ProtectedBranchDetail = z.output<typeof ProtectedBranchDetail>

/** A level as it is asked for: a number, also as a string. */
export const branchLevel = () => oneOfNumbers(protectedBranchLevels)

/** One element of `allowed_to_*`: exactly one of the three. */
const AccessGrant = z
  .object(
    optional({
      user_id: integer({ min: 1 }),
      group_id: integer({ min: 1 }),
      access_level: branchLevel(),
    }),
  )
  .refine(
    ({ user_id, group_id, access_level }) =>
      [user_id, group_id, access_level].filter((value) => value !== undefined).length === 1,
  )
export type AccessGrant = z.output<typeof AccessGrant>

/** `allowed_to_push` and its like. */
export const accessGrants = () => objectList(AccessGrant)
