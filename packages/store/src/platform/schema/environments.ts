import type { DeploymentStatus, EnvironmentState } from '@stithy/core'
import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** An environment that a project is deployed to. */
export interface EnvironmentsTable {
  id: Generated<number>
  projectId: number
  name: string
  nameLower: string
  slug: string
  externalUrl: string | null
  state: EnvironmentState
  createdAt: number
  updatedAt: number
}

/** A deployment of a commit to an environment. */
export interface DeploymentsTable {
  id: Generated<number>
  projectId: number
  environmentId: number
  iid: number
  /** As it was sent: the name of a branch or tag, which may be gone. */
  ref: string
  tag: Flag
  sha: string
  status: DeploymentStatus
  userId: number | null
  /** The job that deploys; null if the deployment was reported through the API. */
  jobId: number | null
  createdAt: number
  updatedAt: number
}
