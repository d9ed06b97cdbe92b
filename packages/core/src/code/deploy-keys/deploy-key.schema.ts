import { z } from 'zod'
import { timestamp } from '../../platform/contract/fields.ts'

/** An SSH key for a machine rather than a user. */
export const DeployKey = z.object({
  id: z.int(),
  title: z.string(),
  /** In OpenSSH's one-line form. */
  key: z.string(),
  created_at: timestamp,
})
export type DeployKey = z.output<typeof DeployKey>

/** A deploy key as one project uses it. */
export const ProjectDeployKey = DeployKey.extend({ can_push: z.boolean() })
export type ProjectDeployKey = z.output<typeof ProjectDeployKey>
