import type { SshKey } from '@stithy/core'
import type { SshKeyRow } from '@stithy/store'
import { timestampText } from '../../platform/http/timestamp.ts'

/** Presents an SSH key. */
export function presentSshKey({ id, title, key, createdAt, expiresOn }: SshKeyRow): SshKey {
  return { id, title, key, created_at: timestampText(createdAt), expires_at: expiresOn }
}
