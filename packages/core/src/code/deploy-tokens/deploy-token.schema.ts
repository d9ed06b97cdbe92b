import { z } from 'zod'
import { timestamp } from '../../platform/contract/fields.ts'

/** Scopes of deploy tokens. */
export const deployTokenScopes = ['read_repository', 'read_registry'] as const
export type DeployTokenScope = (typeof deployTokenScopes)[number]

/** A token with read access to one project; it belongs to no user. */
export const DeployToken = z.object({
  id: z.int(),
  name: z.string(),
  /** The user name to authenticate with. */
  username: z.string(),
  /** The token is invalid from this timestamp on; null for never. */
  expires_at: timestamp.nullable(),
  scopes: z.array(z.enum(deployTokenScopes)),
})
export type DeployToken = z.output<typeof DeployToken>

/** The response to its creation, the only one that contains the token itself. */
export const NewDeployToken = DeployToken.extend({ token: z.string() })
export type NewDeployToken = z.output<typeof NewDeployToken>
