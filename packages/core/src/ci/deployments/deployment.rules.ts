import type { DeploymentStatus } from '../environments/last-deployment.schema.ts'

/** The states that `PUT /projects/:id/deployments/:deployment_id` can set. */
export const reachedStatuses = ['running', 'success', 'failed', 'canceled'] as const
export type ReachedStatus = (typeof reachedStatuses)[number]

/** Whether a deployment in one state can reach another. */
export function canReach(from: DeploymentStatus, to: ReachedStatus): boolean {
  if (from === 'created') return true
  return from === 'running' && to !== 'running'
}

/** The names of the transitions, as v4 clients know them from error messages. */
const transitionNames = {
  running: 'run',
  success: 'succeed',
  failed: 'drop',
  canceled: 'cancel',
} as const satisfies Record<ReachedStatus, string>

/** The error of a transition that is not possible. */
export function transitionError(from: DeploymentStatus, to: ReachedStatus): string {
  return `Cannot transition status via :${transitionNames[to]} from :${from}`
}
