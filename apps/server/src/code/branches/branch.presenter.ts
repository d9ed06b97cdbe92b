import type { Branch, BranchRights } from '@stithy/core'
import { commitFields } from '../commits/commit.presenter.ts'
import type { BranchView } from './branch-view.ts'

/** What the caller may do with a branch, by its name. */
export type RightsOf = (name: string) => BranchRights

/** Presents branches. */
export function presentBranches(branches: readonly BranchView[], rightsOf: RightsOf): Branch[] {
  return branches.map((branch) => presentBranch(branch, rightsOf))
}

/** Presents one branch; see `presentBranches`. */
export function presentBranch(branch: BranchView, rightsOf: RightsOf): Branch {
  const rights = rightsOf(branch.name)
  return {
    name: branch.name,
    merged: branch.merged,
    protected: rights.protected,
    default: branch.default,
    developers_can_push: rights.developersCanPush,
    developers_can_merge: rights.developersCanMerge,
    can_push: rights.canPush,
    commit: commitFields(branch.commit),
    ...(branch.divergence === undefined ? {} : { divergence: branch.divergence }),
  }
}
