import { decideOnProject, pipelineLifecycle } from '@stithy/core'
import {
  findLastPipeline,
  findLastPipelineOn,
  insertPipeline,
  listLastPipelines,
  listPipelineStatuses,
  type PipelineRow,
  type PipelineSummaryRow,
  savePipelineStatus,
  type Transaction,
  toFlag,
} from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'

/** What a status from outside was reported on. */
interface ReportedCommit {
  projectId: number
  sha: string
  ref: { name: string; isTag: boolean }
  userId: number | null
  now: number
}

/**
 * The newest pipeline of a commit on a branch or tag, or a new one for statuses from outside. Call
 * it under `lockPipelines`.
 */
export async function findOrCreateExternalPipeline(
  tx: Transaction,
  { projectId, sha, ref, userId, now }: ReportedCommit,
): Promise<PipelineRow> {
  const known = await findLastPipelineOn(tx, { projectId, sha, ref: ref.name })
  if (known !== undefined) return known
  return insertPipeline(tx, {
    projectId,
    ref: ref.name,
    sha,
    beforeSha: null,
    tag: toFlag(ref.isTag),
    source: 'external',
    status: 'created',
    userId,
    createdAt: now,
    startedAt: null,
    finishedAt: null,
    duration: null,
  })
}

/**
 * Recomputes a pipeline from its newest jobs and statuses, and triggers hooks if its status
 * changed. Call it in the transaction that changed one of them, under `lockPipelines`.
 */
export async function recomputePipeline(
  tx: Transaction,
  pipeline: PipelineRow,
  now: number,
): Promise<void> {
  const parts = await listPipelineStatuses(tx, pipeline.id)
  const composed = parts.map((part) => ({ ...part, allowFailure: part.allowFailure === 1 }))
  const lifecycle = pipelineLifecycle(pipeline, composed, now)
  await savePipelineStatus(tx, pipeline.id, lifecycle, now)
  if (lifecycle.status === pipeline.status) return
  const stages = [...new Set(parts.map(({ stage }) => stage))]
  await recordChange(tx, {
    kind: 'pipeline.status_changed',
    userId: pipeline.userId,
    at: now,
    now,
    pipeline: { ...pipeline, ...lifecycle },
    stages,
  })
}

/** The newest pipeline of a commit, if the caller may see pipelines. One query. */
export async function findVisiblePipeline(
  app: App,
  caller: Pick<Caller, 'facts'>,
  project: ProjectSubject,
  sha: string,
): Promise<PipelineSummaryRow | undefined> {
  if (!mayReadPipelines(caller, project)) return undefined
  return findLastPipeline(app.db, { projectId: project.row.id, sha })
}

/** The newest pipelines of commits, by their ids, if the caller may see pipelines. One query. */
export async function findVisiblePipelines(
  app: App,
  caller: Pick<Caller, 'facts'>,
  project: ProjectSubject,
  shas: readonly string[],
): Promise<ReadonlyMap<string, PipelineSummaryRow>> {
  if (shas.length === 0 || !mayReadPipelines(caller, project)) return new Map()
  const rows = await listLastPipelines(app.db, { projectId: project.row.id, shas })
  return new Map(rows.map((row) => [row.sha, row]))
}

/** Whether the caller may see pipelines: non-members and guests only while `public_jobs` is on. */
export function mayReadPipelines(
  caller: Pick<Caller, 'facts'>,
  { row, facts }: ProjectSubject,
): boolean {
  if (!decideOnProject('read_commit_status', caller.facts, facts).allowed) return false
  return caller.facts.admin || facts.level >= 20 || row.publicJobs === 1
}
