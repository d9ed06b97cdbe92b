import { z } from 'zod'
import { UserRef } from '../../directory/users/user.schema.ts'
import { timestamp } from '../../platform/contract/fields.ts'
import { Job } from '../jobs/job.schema.ts'

/** States of a deployment; the last three are final. */
export const deploymentStatuses = ['created', 'running', 'success', 'failed', 'canceled'] as const
export type DeploymentStatus = (typeof deploymentStatuses)[number]

/** A deployment as its environment shows it. */
export const LastDeployment = z.object({
  id: z.int(),
  /** Its number in the project. */
  iid: z.int(),
  ref: z.string(),
  sha: z.string(),
  status: z.enum(deploymentStatuses),
  created_at: timestamp,
  updated_at: timestamp,
  user: UserRef.nullable(),
  /** The job that deploys; null when the deployment was reported through the API. */
  deployable: Job.nullable(),
})
export type LastDeployment = z.output<typeof LastDeployment>
