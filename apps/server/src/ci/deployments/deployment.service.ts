import {
  badRequest,
  canReach,
  type DeploymentStatus,
  environmentNameError,
  type FieldErrors,
  forbidden,
  isBranchOrTagName,
  notFound,
  parseRef,
  type ReachedStatus,
  transitionError,
  validationFailed,
} from '@stithy/core'
import {
  type DeploymentRow,
  findDeployment,
  insertDeployment,
  type Transaction,
  toFlag,
  updateDeploymentStatus,
} from '@stithy/store'
import { resolveRef } from '../../code/revisions/revision.service.ts'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { findOrAddEnvironment } from '../environments/environment.service.ts'

/** A deployment that is reported through the API. */
export interface DeploymentReport {
  environment: string
  sha: string
  ref: string
  tag: boolean
  status: DeploymentStatus
}

/** @throws DomainError `not_found` */
export async function requireDeployment(
  app: App,
  projectId: number,
  id: number,
): Promise<DeploymentRow> {
  const deployment = await findDeployment(app.db, { projectId, id })
  if (deployment === undefined) throw notFound('Deployment')
  return deployment
}

/**
 * Records a deployment, and its environment if there is none of this name.
 * @throws DomainError `validation_failed`
 */
export async function createDeployment(
  app: App,
  { row: project }: ProjectSubject,
  caller: Caller,
  { environment: name, sha, ref, tag, status }: DeploymentReport,
): Promise<DeploymentRow> {
  const oid = await resolveRef(app, project, sha)
  const errors: FieldErrors = {}
  const nameError = environmentNameError(name)
  if (nameError !== undefined) errors.environment = [nameError]
  if (oid === undefined) errors.sha = ['The commit does not exist']
  // The branch may have been deleted since it was deployed.
  if (!isBranchOrTagName(parseRef(ref)?.name ?? ref)) errors.ref = ['is invalid']
  if (oid === undefined || Object.keys(errors).length > 0) throw validationFailed(errors)
  const projectId = project.id
  const { userId } = caller.facts
  const now = app.now()
  const id = await app.db.transaction(async (tx) => {
    const named = { projectId, name, externalUrl: null, createdAt: now }
    const environmentId = (await findOrAddEnvironment(tx, named)).id
    const created = await insertDeployment(tx, {
      ...{ projectId, environmentId, ref, tag: toFlag(tag), sha: oid },
      ...{ status, userId, jobId: null, createdAt: now },
    })
    if (status === 'success') {
      await recordSuccess(tx, { deploymentId: created.id, projectId, environmentId }, userId, now)
    }
    return created.id
  })
  return requireDeployment(app, projectId, id)
}

/**
 * Changes the status of a deployment that no CI job made.
 * @throws DomainError `bad_request` for a status that it cannot reach, `forbidden`, `not_found`
 */
export async function changeDeploymentStatus(
  app: App,
  deployment: DeploymentRow,
  caller: Caller,
  status: ReachedStatus,
): Promise<DeploymentRow> {
  const { id, projectId, environmentId } = deployment
  if (deployment.jobId !== null) {
    throw forbidden('The status of a deployment by a CI job follows that of the job')
  }
  if (!canReach(deployment.status, status)) {
    throw badRequest(transitionError(deployment.status, status))
  }
  const now = app.now()
  const changed = await app.db.transaction(async (tx) => {
    const change = { id, projectId, from: deployment.status, status, updatedAt: now }
    if (!(await updateDeploymentStatus(tx, change))) return false
    if (status === 'success') {
      const succeeded = { deploymentId: id, projectId, environmentId }
      await recordSuccess(tx, succeeded, caller.facts.userId, now)
    }
    return true
  })
  const current = await requireDeployment(app, projectId, id)
  // Another request was faster.
  if (!changed) throw badRequest(transitionError(current.status, status))
  return current
}

function recordSuccess(
  tx: Transaction,
  succeeded: { deploymentId: number; projectId: number; environmentId: number },
  userId: number | null,
  now: number,
): Promise<void> {
  return recordChange(tx, { kind: 'deployment.succeeded', userId, at: now, now, ...succeeded })
}
