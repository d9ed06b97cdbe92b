import { enqueueJob, type Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'
import { publishDeploymentKind } from './deployment.jobs.ts'

/** Enqueues a job that creates the ref of the deployment. */
export async function enqueueDeploymentRef(
  tx: Transaction,
  { deploymentId: id, projectId, now }: Change<'deployment.succeeded'>,
): Promise<void> {
  const payload = { id, projectId }
  await enqueueJob(tx, { queue: 'pushes', kind: publishDeploymentKind, payload }, now)
}
