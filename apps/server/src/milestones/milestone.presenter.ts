import type { Milestone } from '@stithy/core'
import type { MilestoneRow } from '@stithy/store'
import type { Config } from '../config/config.ts'
import { instantText } from '../http/instant.ts'
import { webUrl } from '../http/urls.ts'

/** Milestones as they go over the wire (document 1, Milestone). */
export function presentMilestones(config: Config, rows: readonly MilestoneRow[]): Milestone[] {
  return rows.map((row) => presentMilestone(config, row))
}

/** One milestone. */
export function presentMilestone(config: Config, row: MilestoneRow): Milestone {
  return {
    id: row.id,
    iid: row.iid,
    ...(row.projectId === null ? {} : { project_id: row.projectId }),
    ...(row.groupId === null ? {} : { group_id: row.groupId }),
    title: row.title,
    description: row.description,
    state: row.state,
    created_at: instantText(row.createdAt),
    updated_at: instantText(row.updatedAt),
    due_date: row.dueDate,
    start_date: row.startDate,
    web_url: webUrl(config, milestonePath(row)),
  }
}

/** Where a milestone is shown. */
export function milestonePath({ groupId, ownerFullPath, iid }: MilestoneRow): string {
  return groupId === null
    ? `${ownerFullPath}/milestones/${iid}`
    : `groups/${ownerFullPath}/-/milestones/${iid}`
}
