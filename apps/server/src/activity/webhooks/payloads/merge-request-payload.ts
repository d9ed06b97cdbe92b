import { absoluteImages, humanDuration } from '@stithy/core'
import { readCommit } from '@stithy/git'
import { findProject, findUser, type MergeRequestRow, type ProjectRow } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { webUrl } from '../../../platform/http/urls.ts'
import { repositoryOf } from '../../../platform/repositories/repository-location.ts'
import { findHeadPipelineOf } from '../../../review/merging/merge-checks.service.ts'
import { mergeParams } from '../hook-changes.ts'
import type { MergeRequestSource, NoteSource } from '../webhook-events.ts'
import { hookItem } from './item-parts.ts'
import {
  hookCommit,
  hookProjectWithAliases,
  hookRepository,
  hookTime,
  hookTimeOrNull,
  hookUser,
} from './shared.ts'

/** Builds the body of `merge_request` hooks. */
export async function buildMergeRequestPayload(
  app: App,
  project: ProjectRow,
  source: MergeRequestSource,
) {
  const { mergeRequest, action, oldRev } = source
  const { user, ...parts } = await hookItem(app, mergeRequest, source)
  return {
    object_kind: 'merge_request',
    event_type: 'merge_request',
    user,
    project: hookProjectWithAliases(app.config, project),
    repository: hookRepository(app.config, project),
    object_attributes: {
      ...(await hookMergeRequest(app, project, mergeRequest)),
      action,
      ...(oldRev === undefined ? {} : { oldrev: oldRev }),
    },
    ...parts,
  }
}

/** The merge request object in hook bodies; `target` is the target project. */
export async function hookMergeRequest(
  app: App,
  target: ProjectRow,
  { row, assigneeIds }: NonNullable<NoteSource['mergeRequest']>,
) {
  const { config } = app
  const [assigneeId] = assigneeIds
  const source = await sourceOf(app, target, row.sourceProjectId)
  const commit = await readCommit(app.git, repositoryOf(app, target), row.headSha)
  const pipeline = await findHeadPipelineOf(app.db, row)
  const urls = { projectUrl: webUrl(config, target.fullPath), siteUrl: config.externalUrl }
  const assignee = assigneeId === undefined ? undefined : await findUser(app.db, assigneeId)
  return {
    id: row.id,
    iid: row.iid,
    title: row.title,
    description: row.description && absoluteImages(row.description, urls),
    state: row.state,
    source_branch: row.sourceBranch,
    target_branch: row.targetBranch,
    source_project_id: row.sourceProjectId,
    target_project_id: row.projectId,
    author_id: row.authorId,
    assignee_id: assigneeId ?? null,
    assignee_ids: [...assigneeIds],
    milestone_id: row.milestoneId,
    ...editingOf(row),
    ...mergingOf(row),
    head_pipeline_id: pipeline?.id ?? null,
    time_estimate: row.timeEstimate,
    total_time_spent: row.totalTimeSpent,
    human_time_estimate: humanDuration(row.timeEstimate),
    human_total_time_spent: humanDuration(row.totalTimeSpent),
    source: source === undefined ? null : hookProjectWithAliases(config, source),
    target: hookProjectWithAliases(config, target),
    last_commit: commit === undefined ? null : hookCommit(config, target, commit),
    work_in_progress: row.workInProgress === 1,
    assignee: hookUser(config, assignee),
    url: webUrl(config, `${target.fullPath}/merge_requests/${row.iid}`),
  }
}

function editingOf(row: MergeRequestRow) {
  return {
    created_at: hookTime(row.createdAt),
    updated_at: hookTime(row.updatedAt),
    updated_by_id: row.updatedById,
    last_edited_at: hookTimeOrNull(row.lastEditedAt),
    last_edited_by_id: row.lastEditedById,
  }
}

function mergingOf(row: MergeRequestRow) {
  return {
    merge_status: row.mergeStatus,
    merge_commit_sha: row.mergeCommitSha,
    merge_error: row.mergeError,
    merge_params: mergeParams(row),
    merge_user_id: row.mergedById ?? row.mergeUserId,
    merge_when_pipeline_succeeds: row.mergeWhenPipelineSucceeds === 1,
  }
}

/** The source project, unless it was deleted. */
async function sourceOf(app: App, target: ProjectRow, id: number | null) {
  if (id === null) return undefined
  return id === target.id ? target : findProject(app.db, { id })
}
