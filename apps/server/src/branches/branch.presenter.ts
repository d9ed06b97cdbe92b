import type { Branch } from '@stithy/core'
import { commitFields } from '../commits/commit.presenter.ts'
import type { FoundBranch } from './branch-found.ts'

/** Branches as they go over the wire. @param mayPush whether the caller may push code at all */
export function presentBranches(branches: readonly FoundBranch[], mayPush: boolean): Branch[] {
  return branches.map((branch) => presentBranch(branch, mayPush))
}

/** One branch; see `presentBranches`. */
export function presentBranch(branch: FoundBranch, mayPush: boolean): Branch {
  const { protection } = branch
  return {
    name: branch.name,
    merged: branch.merged,
    protected: protection.protected,
    default: branch.default,
    developers_can_push: protection.developersCanPush,
    developers_can_merge: protection.developersCanMerge,
    can_push: mayPush,
    commit: commitFields(branch.commit),
  }
}
