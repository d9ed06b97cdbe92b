import { absoluteImages, humanDuration } from '@stithy/core'
import type { IssueRow, ProjectRow } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { tierAllows } from '../../../platform/config/config.ts'
import { webUrl } from '../../../platform/http/urls.ts'
import type { IssueSnapshot, IssueSource } from '../webhook-events.ts'
import { hookItem } from './item-parts.ts'
import { hookProjectWithAliases, hookRepository, hookTime, hookTimeOrNull } from './shared.ts'

/** Builds the body of `issue` and `confidential_issue` hooks. */
export async function buildIssuePayload(app: App, project: ProjectRow, source: IssueSource) {
  const { config } = app
  const { issue } = source
  const { user, ...parts } = await hookItem(app, issue, source)
  return {
    object_kind: 'issue',
    event_type: issue.row.confidential === 1 ? 'confidential_issue' : 'issue',
    user,
    project: hookProjectWithAliases(config, project),
    repository: hookRepository(config, project),
    object_attributes: {
      ...hookIssue(app, project, issue),
      url: issueUrl(app, project, issue.row),
      action: source.action,
    },
    ...parts,
  }
}

/** The browser address of the issue. */
function issueUrl({ config }: App, { fullPath }: ProjectRow, { iid }: IssueRow): string {
  return webUrl(config, `${fullPath}/issues/${iid}`)
}

/** The issue object in the bodies of `issue` and `note` hooks. */
export function hookIssue(app: App, project: ProjectRow, { row, assigneeIds }: IssueSnapshot) {
  const { config } = app
  const urls = { projectUrl: webUrl(config, project.fullPath), siteUrl: config.externalUrl }
  return {
    id: row.id,
    iid: row.iid,
    title: row.title,
    description: row.description && absoluteImages(row.description, urls),
    state: row.state,
    assignee_ids: [...assigneeIds],
    assignee_id: assigneeIds[0] ?? null,
    author_id: row.authorId,
    project_id: row.projectId,
    milestone_id: row.milestoneId,
    created_at: hookTime(row.createdAt),
    updated_at: hookTime(row.updatedAt),
    updated_by_id: row.updatedById,
    last_edited_at: hookTimeOrNull(row.lastEditedAt),
    last_edited_by_id: row.lastEditedById,
    closed_at: hookTimeOrNull(row.closedAt),
    due_date: row.dueDate,
    confidential: row.confidential === 1,
    discussion_locked: row.discussionLocked === null ? null : row.discussionLocked === 1,
    moved_to_id: row.movedToId,
    time_estimate: row.timeEstimate,
    total_time_spent: row.totalTimeSpent,
    human_time_estimate: humanDuration(row.timeEstimate),
    human_total_time_spent: humanDuration(row.totalTimeSpent),
    ...(tierAllows(config.tier, 'premium') ? { weight: row.weight } : {}),
  }
}
