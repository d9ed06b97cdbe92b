import { findSettings } from '../../directory/settings/setting-store.ts'
import type { Queries } from '../../platform/queries/queries.ts'

/** The key of the instance setting, and its default. */
const key = 'default_branch_protection'
const unset = 2

/**
 * How new default branches are protected: 0 not at all, 1 partially, 2 fully, 3 against pushes of
 * developers but not their merges.
 */
export async function findDefaultBranchProtection(q: Queries): Promise<number> {
  const { [key]: value } = await findSettings(q, [key])
  return typeof value === 'number' ? value : unset
}
