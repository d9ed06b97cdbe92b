import type { SharedGroup } from '@stithy/core'
import type { GroupShareRow } from '@stithy/store'

/** Builds an entry of `shared_with_groups` of a project or group. */
export function presentSharedGroup(share: GroupShareRow): SharedGroup {
  return {
    group_id: share.groupId,
    group_name: share.groupName,
    group_full_path: share.groupFullPath,
    group_access_level: share.groupAccess,
    expires_at: share.expiresOn,
  }
}
