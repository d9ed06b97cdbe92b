import {
  AccessLevel,
  type BranchAccessLevel,
  type ProtectedBranch,
  type ProtectedBranchDetail,
} from '@stithy/core'
import type { NamedLevelRow, ProtectedAction } from '@stithy/store'

const descriptions: Readonly<Record<number, string>> = {
  [AccessLevel.none]: 'No one',
  [AccessLevel.developer]: 'Developers + Maintainers',
  [AccessLevel.maintainer]: 'Maintainers',
  [AccessLevel.admin]: 'Administrators',
}

/** The description of an access level. */
export function levelDescription(level: number): string {
  return descriptions[level] ?? String(level)
}

/** Presents protected branches, with the entries of all of them. */
export function presentProtectedBranches(
  refs: readonly { id: number; name: string }[],
  levels: readonly NamedLevelRow[],
): ProtectedBranch[] {
  const byRef = Map.groupBy(levels, ({ protectedRefId }) => protectedRefId)
  return refs.map(({ id, name }) => presentProtectedBranch(name, byRef.get(id) ?? []))
}

/** Presents one protected branch, including who may unprotect it. */
export function presentProtectedBranchDetail(
  name: string,
  levels: readonly NamedLevelRow[],
): ProtectedBranchDetail {
  return {
    ...presentProtectedBranch(name, levels),
    unprotect_access_levels: entries(levels, 'unprotect'),
  }
}

/** Presents one protected branch, with its entries. */
function presentProtectedBranch(name: string, levels: readonly NamedLevelRow[]): ProtectedBranch {
  return {
    name,
    push_access_levels: entries(levels, 'push'),
    merge_access_levels: entries(levels, 'merge'),
  }
}

function entries(levels: readonly NamedLevelRow[], action: ProtectedAction): BranchAccessLevel[] {
  return levels.filter((level) => level.action === action).map(presentLevel)
}

function presentLevel(row: NamedLevelRow): BranchAccessLevel {
  const { accessLevel, userId, groupId, userName, groupName } = row
  const name = userName ?? groupName ?? ''
  return {
    access_level: accessLevel,
    user_id: userId,
    group_id: groupId,
    access_level_description: accessLevel === null ? name : levelDescription(accessLevel),
  }
}
