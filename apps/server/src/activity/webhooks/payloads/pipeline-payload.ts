import type { PipelineState } from '@stithy/core'
import { readCommit, zeroOid } from '@stithy/git'
import { findUser, type ProjectRow } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { repositoryOf } from '../../../platform/repositories/repository-location.ts'
import type { WebhookSources } from '../webhook-events.ts'
import { hookCommit, hookProject, hookTime, hookTimeOrNull, hookUser } from './shared.ts'

/** The statuses for display. */
const labels: Record<PipelineState, string> = {
  created: 'created',
  preparing: 'preparing',
  pending: 'pending',
  running: 'running',
  success: 'passed',
  failed: 'failed',
  canceled: 'canceled',
  skipped: 'skipped',
  manual: 'manual action',
  scheduled: 'scheduled',
}

/**
 * Builds the body of `pipeline` hooks. `builds` holds jobs; external statuses are none, so it is
 * empty for a pipeline of only those.
 */
export async function buildPipelinePayload(
  app: App,
  row: ProjectRow,
  { pipeline, stages }: WebhookSources['pipeline'],
) {
  const { config } = app
  const user = pipeline.userId === null ? undefined : await findUser(app.db, pipeline.userId)
  const commit = await readCommit(app.git, repositoryOf(app, row), pipeline.sha)
  return {
    object_kind: 'pipeline',
    object_attributes: {
      id: pipeline.id,
      ref: pipeline.ref,
      tag: pipeline.tag === 1,
      sha: pipeline.sha,
      before_sha: pipeline.beforeSha ?? zeroOid,
      status: pipeline.status,
      detailed_status: labels[pipeline.status],
      stages,
      created_at: hookTime(pipeline.createdAt),
      finished_at: hookTimeOrNull(pipeline.finishedAt),
      duration: pipeline.duration,
      variables: [],
    },
    user: hookUser(config, user),
    project: hookProject(config, row),
    commit: commit === undefined ? null : hookCommit(config, row, commit),
    builds: [],
  }
}
