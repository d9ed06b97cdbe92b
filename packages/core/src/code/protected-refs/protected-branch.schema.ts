import { z } from 'zod'
import { constraintSchema } from '../../platform/contract/constraints.ts'
import { integer, oneOfNumbers, optional } from '../../platform/contract/fields.ts'
import { objectList } from '../../platform/contract/list-fields.ts'

/** Access levels that a protected branch may require. */
export const protectedBranchLevels = [0, 30, 40, 60] as const

/** One rule of who may push to, merge into or unprotect a branch: a level, a user or a group. */
export const BranchAccessLevel = z.object({
  access_level: z.int().nullable(),
  user_id: z.int().nullable(),
  group_id: z.int().nullable(),
  access_level_description: z.string(),
})
export type BranchAccessLevel = z.output<typeof BranchAccessLevel>

/** A protected branch or wildcard. */
export const ProtectedBranch = z.object({
  name: z.string(),
  push_access_levels: z.array(BranchAccessLevel),
  merge_access_levels: z.array(BranchAccessLevel),
})
export type ProtectedBranch = z.output<typeof ProtectedBranch>

/** A protected branch with the rules of who may unprotect it. */
export const ProtectedBranchDetail = ProtectedBranch.extend({
  unprotect_access_levels: z.array(BranchAccessLevel),
})
export type ProtectedBranchDetail = z.output<typeof ProtectedBranchDetail>

/** A level in a request: a number, also as a string. */
export const branchLevel = () => oneOfNumbers(protectedBranchLevels)

/** An element of `allowed_to_*`: exactly one of the three. */
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
  .meta(constraintSchema({ exactlyOneOf: ['user_id', 'group_id', 'access_level'] }))
export type AccessGrant = z.output<typeof AccessGrant>

/** `allowed_to_push` and similar parameters. */
export const accessGrants = () => objectList(AccessGrant)
