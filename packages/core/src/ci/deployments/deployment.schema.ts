import type { z } from 'zod'
import { EnvironmentRef } from '../environments/environment.schema.ts'
import { LastDeployment } from '../environments/last-deployment.schema.ts'

/** A deployment of a commit to an environment. */
export const Deployment = LastDeployment.extend({ environment: EnvironmentRef })
export type Deployment = z.output<typeof Deployment>
