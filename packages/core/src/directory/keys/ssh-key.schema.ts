import { z } from 'zod'
import { day, timestamp } from '../../platform/contract/fields.ts'

/** A public key with which a user signs in over SSH. */
export const SshKey = z.object({
  id: z.int(),
  title: z.string(),
  /** In OpenSSH's one-line form. */
  key: z.string(),
  created_at: timestamp,
  /** The key is expired from 00:00 UTC of this day. */
  expires_at: day.nullable(),
})
export type SshKey = z.output<typeof SshKey>
