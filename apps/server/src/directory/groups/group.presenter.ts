import type { Group, GroupDetails, Project } from '@stithy/core'
import type { GroupRow, GroupShareRow, GroupStatisticsRow } from '@stithy/store'
import { type Config, tierAllows } from '../../platform/config/config.ts'
import { webUrl } from '../../platform/http/urls.ts'
import { avatarUrl } from '../../platform/uploads/avatar-url.ts'
import { presentSharedGroup } from '../namespaces/shared-group.presenter.ts'
import { presentSizes } from '../projects/storage-sizes.presenter.ts'

/** A group with everything that its list shape contains. */
export interface GroupView {
  row: GroupRow
  /** Set when requested; `row` is undefined for a group without projects. */
  statistics?: { row: GroupStatisticsRow | undefined } | undefined
  customAttributes?: readonly { key: string; value: string }[] | undefined
}

/** Builds the list shape of a group. */
export function presentGroup(config: Config, view: GroupView): Group {
  const { row, statistics, customAttributes } = view
  return {
    id: row.id,
    name: row.name,
    path: row.path,
    description: row.description,
    visibility: row.visibility,
    lfs_enabled: row.lfsEnabled === 1,
    avatar_url: avatarUrl(config, 'group', row.id, row.avatar),
    web_url: webUrl(config, `groups/${row.fullPath}`),
    request_access_enabled: row.requestAccessEnabled === 1,
    full_name: row.fullName,
    full_path: row.fullPath,
    ...(tierAllows(config.tier, 'premium')
      ? { file_template_project_id: row.fileTemplateProjectId }
      : {}),
    parent_id: row.parentId,
    ...(statistics === undefined ? {} : { statistics: presentSizes(statistics.row) }),
    ...(customAttributes === undefined
      ? {}
      : { custom_attributes: customAttributes.map(({ key, value }) => ({ key, value })) }),
  }
}

/** What only the details view contains. */
export interface GroupContents {
  projects: Project[]
  sharedProjects: Project[]
  shares: readonly GroupShareRow[]
}

/** Builds the details shape of a group. */
export function presentGroupDetails(
  config: Config,
  view: GroupView,
  { projects, sharedProjects, shares }: GroupContents,
): GroupDetails {
  return {
    ...presentGroup(config, view),
    require_two_factor_authentication: view.row.requireTwoFactorAuthentication === 1,
    two_factor_grace_period: view.row.twoFactorGracePeriod,
    ...(tierAllows(config.tier, 'premium')
      ? {
          shared_runners_minutes_limit: view.row.sharedRunnersMinutesLimit,
          extra_shared_runners_minutes_limit: view.row.extraSharedRunnersMinutesLimit,
        }
      : {}),
    shared_with_groups: shares.map(presentSharedGroup),
    projects,
    shared_projects: sharedProjects,
  }
}
