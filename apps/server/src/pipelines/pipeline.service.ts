import { decideOnProject, pipelineLife } from '@stithy/core'
import {
  findLastPipeline,
  listPipelineParts,
  type PipelineRow,
  type PipelineSummaryRow,
  savePipelineLife,
  type Transaction,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { enqueueHooks } from '../webhooks/webhook-events.ts'

/**
 * Recomputes a pipeline from its newest jobs and statuses, and tells hooks when its status changed. To be
 * called in the transaction that changed one of them, under `lockPipelines`.
 */
export async function recomputePipeline(
  tx: Transaction,
  pipeline: PipelineRow,
  now: number,
): Promise<void> {
  const parts = await listPipelineParts(tx, pipeline.id)
  const composed = parts.map((part) => ({ ...part, allowFailure: part.allowFailure === 1 }))
  const life = pipelineLife(pipeline, composed, now)
  await savePipelineLife(tx, pipeline.id, life, now)
  if (life.status === pipeline.status) return
  const stages = [...new Set(parts.map(({ stage }) => stage))]
  await enqueueHooks(tx, { projectId: pipeline.projectId, event: 'pipeline', at: now }, () => ({
    pipeline: { ...pipeline, ...life },
    stages,
  }))
}

/**
 * The newest pipeline of a commit, where the caller may see pipelines (catalogue: permissions, Pipelines:
 * visitors and guests only while `public_jobs` is on). One query.
 */
export async function findVisiblePipeline(
  app: App,
  caller: Pick<Caller, 'facts'>,
  { row, facts }: ProjectSubject,
  sha: string,
): Promise<PipelineSummaryRow | undefined> {
  if (!decideOnProject('read_commit_status', caller.facts, facts).allowed) return undefined
  const isTrusted = caller.facts.admin || facts.level >= 20
  if (!isTrusted && row.publicJobs === 0) return undefined
  return findLastPipeline(app.db, { projectId: row.id, sha })
}
