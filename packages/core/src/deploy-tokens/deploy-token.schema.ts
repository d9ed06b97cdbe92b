import { z } from 'zod'
import { timestamp } from '../contract/fields.ts'

/** What a deploy token may be used for (catalogue: repository, 12). */
export const deployTokenScopes = ['read_repository', 'read_registry'] as const
export type DeployTokenScope = (typeof deployTokenScopes)[number]

/** A token that reads one project and belongs to nobody (catalogue: repository, 12). */
export const DeployToken = z.object({
  id: z.int(),
  name: z.string(),
  /** The user name that goes with the token. */
  username: z.string(),
  /** From this instant the token is of no use; null for a token that never ends. */
  expires_at: timestamp.nullable(),
  scopes: z.array(z.enum(deployTokenScopes)),
})
export type DeployToken = z.output<typeof DeployToken>

/** The answer of its creation, the only one that holds the token itself. */
export const NewDeployToken = DeployToken.extend({ token: z.string() })
export type NewDeployToken = z.output<typeof NewDeployToken>
