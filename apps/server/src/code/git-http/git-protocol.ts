import type { App } from '../../platform/app.ts'

/**
 * Whether `enabled_git_access_protocol` of the application settings allows a way to reach git: it
 * names the only one, or none for both.
 */
export function isProtocolEnabled({ settings }: App, protocol: 'http' | 'ssh'): boolean {
  const { enabled_git_access_protocol: only } = settings
  return only === null || only === protocol
}
