import type { Namespace } from '@stithy/core'
import type { ListedNamespace } from '@stithy/store'
import { type Config, tierAllows } from '../../platform/config/config.ts'
import { webUrl } from '../../platform/http/urls.ts'
import { avatarUrl } from '../../platform/uploads/avatar-url.ts'

/** Counts that only administrators of the namespace see. */
export interface NamespaceCounts {
  /** Undefined for personal namespaces. */
  members: number | undefined
}

/** Builds the shape of a namespace; the counts are for owners, the plan only in paid tiers. */
export function presentNamespace(
  config: Config,
  row: ListedNamespace,
  counts: NamespaceCounts | undefined,
): Namespace {
  const { ownerId } = row
  return {
    id: row.id,
    name: row.name,
    path: row.path,
    kind: row.kind,
    full_path: row.fullPath,
    parent_id: row.parentId,
    avatar_url:
      ownerId === null
        ? avatarUrl(config, 'group', row.id, row.avatar)
        : avatarUrl(config, 'user', ownerId, row.ownerAvatar),
    web_url: webUrl(config, ownerId === null ? `groups/${row.fullPath}` : row.fullPath),
    ...(counts?.members === undefined ? {} : { members_count_with_descendants: counts.members }),
    ...(counts !== undefined && tierAllows(config.tier, 'premium') ? { plan: config.tier } : {}),
  }
}
