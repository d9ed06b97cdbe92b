import {
  badRequest,
  defaultStatusName,
  externalStage,
  invalidParameter,
  isBranchOrTagName,
  isFinished,
  notFound,
  parseRef,
  type ReportedState,
  statusErrors,
  statusTransition,
  validationFailed,
} from '@stithy/core'
import { findBranch, findTag, refsContaining } from '@stithy/git'
import {
  type CommitStatusRow,
  findCommitPipeline,
  findReportedStatus,
  insertCommitStatus,
  lockPipelines,
  type PipelineRow,
  type Transaction,
  toFlag,
  updateCommitStatus,
} from '@stithy/store'
import { requireCommit } from '../../code/commits/commit.service.ts'
import type { SourceRepository } from '../../code/revisions/revision.service.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { findOrCreateExternalPipeline, recomputePipeline } from '../pipelines/pipeline.service.ts'

/** A reported commit status. */
export interface StatusReport {
  state: ReportedState
  ref?: string | undefined
  name?: string | undefined
  context?: string | undefined
  target_url?: string | undefined
  description?: string | undefined
  coverage?: number | undefined
  pipeline_id?: number | undefined
}

/** A branch or tag that a commit is reported on. */
interface ReportRef {
  name: string
  isTag: boolean
}

/** A report with what was loaded for it. */
interface ReportContext {
  projectId: number
  userId: number | null
  sha: string
  /** Undefined if the pipeline defines it. */
  ref: ReportRef | undefined
  name: string
  report: StatusReport
  now: number
}

/**
 * Records a reported status: updates the status of its name or adds one, in the newest pipeline of
 * the commit on the ref, or in a new one. Reports of one project are processed one after the other.
 * @throws DomainError `not_found`, `validation_failed`, `invalid_parameter`, and `bad_request` when
 * the reported state is no valid transition.
 */
export async function reportStatus(
  app: App,
  project: SourceRepository & { id: number },
  caller: Caller,
  sha: string,
  report: StatusReport,
): Promise<CommitStatusRow> {
  const name = report.name || report.context || defaultStatusName
  const errors = statusErrors({ ...report, name })
  if (Object.keys(errors).length > 0) throw validationFailed(errors)
  const { oid } = await requireCommit(app, project, sha)
  const ref = await findReportRef(app, project, oid, report)
  const userId = caller.facts.userId
  const context = { projectId: project.id, userId, sha: oid, ref, name, report, now: app.now() }
  return app.db.transaction(async (tx) => {
    await lockPipelines(tx, project.id)
    const pipeline = await findPipeline(tx, context)
    const status = await file(tx, pipeline, context)
    await recomputePipeline(tx, pipeline, context.now)
    if (report.state === 'failed' && pipeline.tag === 0) {
      const failed = { projectId: project.id, branch: pipeline.ref, sha: oid }
      const by = { userId, at: context.now, now: context.now }
      await recordChange(tx, { kind: 'commit_status.failed', ...by, ...failed })
    }
    return status
  })
}

/** The ref that was sent or, without one, the first branch that contains the commit. */
async function findReportRef(
  app: App,
  project: SourceRepository,
  oid: string,
  { ref, pipeline_id }: StatusReport,
): Promise<ReportRef | undefined> {
  const repository = repositoryOf(app, project)
  if (ref) {
    const named = parseRef(ref)
    const name = named?.name ?? ref
    if (!isBranchOrTagName(name)) throw invalidParameter('ref is invalid')
    if (named !== undefined) return { name, isTag: named.type === 'tag' }
    if ((await findBranch(app.git, repository, name)) !== undefined) return { name, isTag: false }
    return { name, isTag: (await findTag(app.git, repository, name)) !== undefined }
  }
  if (pipeline_id !== undefined) return undefined
  const [branch] = await refsContaining(app.git, repository, oid, 'branch')
  if (branch === undefined) throw notFound('References for commit')
  return { name: branch.name, isTag: false }
}

async function findPipeline(tx: Transaction, context: ReportContext): Promise<PipelineRow> {
  const { projectId, sha, ref, report, userId, now } = context
  if (ref === undefined || report.pipeline_id !== undefined) {
    const id = report.pipeline_id ?? 0
    const pipeline = await findCommitPipeline(tx, { projectId, sha, id })
    if (pipeline === undefined || (ref !== undefined && ref.name !== pipeline.ref)) {
      throw notFound('Pipeline')
    }
    return pipeline
  }
  return findOrCreateExternalPipeline(tx, { projectId, sha, ref, userId, now })
}

/** The names of the transitions, as clients know them from error messages. */
const transitionNames = {
  pending: 'enqueue',
  running: 'run',
  success: 'success',
  failed: 'drop',
  canceled: 'cancel',
} as const satisfies Record<ReportedState, string>

async function file(
  tx: Transaction,
  pipeline: PipelineRow,
  context: ReportContext,
): Promise<CommitStatusRow> {
  const { name, report, now } = context
  const current = await findReportedStatus(tx, { pipelineId: pipeline.id, name })
  const transition = statusTransition(current?.status, report.state)
  if (transition === 'refused') {
    const change = `via :${transitionNames[report.state]} from :${current?.status}`
    throw badRequest(`Cannot transition status ${change}`)
  }
  const reached = {
    status: report.state,
    failureReason: report.state === 'failed' ? 'api_failure' : null,
    finishedAt: isFinished(report.state) ? now : null,
  }
  const startedAt = report.state === 'running' ? now : null
  if (current === undefined || transition === 'added') {
    return insertCommitStatus(tx, { ...newStatus(pipeline, context), ...reached, startedAt })
  }
  return updateCommitStatus(tx, current.id, {
    ...reached,
    startedAt: current.startedAt ?? startedAt,
    targetUrl: report.target_url || current.targetUrl,
    description: report.description || current.description,
    coverage: report.coverage ?? current.coverage,
    updatedAt: now,
  })
}

function newStatus(pipeline: PipelineRow, { userId, name, report, now }: ReportContext) {
  return {
    projectId: pipeline.projectId,
    pipelineId: pipeline.id,
    kind: 'external' as const,
    sha: pipeline.sha,
    ref: pipeline.ref,
    name,
    stage: externalStage.name,
    stageIndex: externalStage.index,
    allowFailure: toFlag(false),
    targetUrl: report.target_url || null,
    description: report.description || null,
    coverage: report.coverage ?? null,
    userId,
    createdAt: now,
  }
}
