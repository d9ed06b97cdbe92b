import type { Group, GroupDetails, Project } from '@stithy/core'
import type { GroupRow, GroupStatisticsRow } from '@stithy/store'
import { type Config, tierAllows } from '../config/config.ts'
import { webUrl } from '../http/urls.ts'
import { presentSizes } from '../projects/storage-sizes.presenter.ts'
import { avatarUrl } from '../uploads/avatar-url.ts'

/** A group with what lists show of it. */
export interface GroupView {
  row: GroupRow
  /** Where they are asked for; undefined inside for a group without projects. */
  statistics?: { row: GroupStatisticsRow | undefined } | undefined
  customAttributes?: readonly { key: string; value: string }[] | undefined
}

/** A group as lists show it (document 1, Group). */
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

/** The projects of the details view; left out where they are not asked for. */
export interface GroupProjects {
  projects: Project[]
  sharedProjects: Project[]
}

/** A single group (document 1, Group, details view). */
export function presentGroupDetails(
  config: Config,
  view: GroupView,
  projects: GroupProjects | undefined,
): GroupDetails {
  return {
    ...presentGroup(config, view),
    ...(tierAllows(config.tier, 'premium')
      ? {
          shared_runners_minutes_limit: view.row.sharedRunnersMinutesLimit,
          extra_shared_runners_minutes_limit: view.row.extraSharedRunnersMinutesLimit,
        }
      : {}),
    ...(projects === undefined
      ? {}
      : { projects: projects.projects, shared_projects: projects.sharedProjects }),
  }
}
