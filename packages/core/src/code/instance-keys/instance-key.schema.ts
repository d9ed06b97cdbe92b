import { z } from 'zod'
import { SshKey } from '../../directory/keys/ssh-key.schema.ts'
import { CurrentUser } from '../../directory/users/user.schema.ts'
import { timestamp } from '../../platform/contract/fields.ts'

/** The most projects that are shown of a deploy key. */
export const maxKeyProjects = 100

/** A project on which a deploy key is enabled. */
export const KeyProject = z.object({
  deploy_key_id: z.int(),
  project_id: z.int(),
  created_at: timestamp,
  can_push: z.boolean(),
})
export type KeyProject = z.output<typeof KeyProject>

/** The SSH key of a user, or a deploy key, as administrators see it. */
export const InstanceKey = SshKey.extend({
  /** The owner, or the creator of a deploy key; null if the creator was deleted. */
  user: CurrentUser.nullable(),
  /** Of deploy keys only. */
  deploy_keys_projects: z.array(KeyProject).optional(),
})
export type InstanceKey = z.output<typeof InstanceKey>
