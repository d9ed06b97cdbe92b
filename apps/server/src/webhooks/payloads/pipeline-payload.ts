import type { PipelineState } from '@stithy/core'
import { readCommit, zeroOid } from '@stithy/git'
import { findUser, type ProjectRow } from '@stithy/store'
import type { App } from '../../app.ts'
import { repositoryOf } from '../../repositories/repository.service.ts'
import type { WebhookSources } from '../webhook-events.ts'
import { hookCommit, hookProject, hookTime, hookTimeOrNull, hookUser } from './shared.ts'

/** The states as people read them. */
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
 * The body of `pipeline` (catalogue: admin, 6). `builds` are jobs, which statuses that others report are
 * not: a pipeline of those alone has none.
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
