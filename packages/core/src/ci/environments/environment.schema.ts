import { z } from 'zod'
import { environmentStates } from './environment.rules.ts'
import { LastDeployment } from './last-deployment.schema.ts'

/** An environment as its deployments show it. */
export const EnvironmentRef = z.object({
  id: z.int(),
  name: z.string(),
  /** The name as a part of host names; it stays when the environment is renamed. */
  slug: z.string(),
  external_url: z.string().nullable(),
})
export type EnvironmentRef = z.output<typeof EnvironmentRef>

/** An environment that a project is deployed to. */
export const Environment = EnvironmentRef.extend({ state: z.enum(environmentStates) })
export type Environment = z.output<typeof Environment>

/** A single environment. */
export const EnvironmentDetails = Environment.extend({
  /** The newest successful one. */
  last_deployment: LastDeployment.nullable(),
})
export type EnvironmentDetails = z.output<typeof EnvironmentDetails>
