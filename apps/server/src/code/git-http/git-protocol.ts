import { findSettings } from '@stithy/store'
import type { App } from '../../platform/app.ts'

/**
 * Whether `enabled_git_access_protocol` of the application settings allows a way to reach git: it
 * names the only one, or none for both.
 */
export async function isProtocolEnabled({ db }: App, protocol: 'http' | 'ssh'): Promise<boolean> {
  const { enabled_git_access_protocol: only } = await findSettings(db, [
    'enabled_git_access_protocol',
  ])
  return only !== (protocol === 'http' ? 'ssh' : 'http')
}
