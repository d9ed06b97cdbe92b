import type { Milestone } from '@stithy/core'
import type { MilestoneRow } from '@stithy/store'
import type { Config } from '../../platform/config/config.ts'
import { timestampText } from '../../platform/http/timestamp.ts'
import { webUrl } from '../../platform/http/urls.ts'

export function presentMilestones(config: Config, rows: readonly MilestoneRow[]): Milestone[] {
  return rows.map((row) => presentMilestone(config, row))
}

export function presentMilestone(config: Config, row: MilestoneRow): Milestone {
  return {
    id: row.id,
    iid: row.iid,
    ...(row.projectId === null ? {} : { project_id: row.projectId }),
    ...(row.groupId === null ? {} : { group_id: row.groupId }),
    title: row.title,
    description: row.description,
    state: row.state,
    created_at: timestampText(row.createdAt),
    updated_at: timestampText(row.updatedAt),
    due_date: row.dueDate,
    start_date: row.startDate,
    web_url: webUrl(config, milestonePath(row)),
  }
}

/** The path of a milestone's web page, relative to the external URL. */
export function milestonePath({ groupId, ownerFullPath, iid }: MilestoneRow): string {
  return groupId === null
    ? `${ownerFullPath}/milestones/${iid}`
    : `groups/${ownerFullPath}/-/milestones/${iid}`
}
