import type { Config } from '../config/config.ts'
import { webUrl } from '../http/urls.ts'

/** What has an avatar. */
export const avatarKinds = ['user', 'group', 'project'] as const
export type AvatarKind = (typeof avatarKinds)[number]

/**
 * Where the avatar of a user, group or project is served; null without one. `avatar` is what the row
 * holds: the key of the file, a slash, and the file name that was uploaded.
 */
export function avatarUrl(
  config: Config,
  kind: AvatarKind,
  id: number,
  avatar: string | null,
): string | null {
  if (avatar === null) return null
  return webUrl(config, `uploads/-/system/${kind}/avatar/${id}/${avatarFilename(avatar)}`)
}

/** The part of the column that shows in addresses. */
export function avatarFilename(avatar: string): string {
  return avatar.slice(avatar.indexOf('/') + 1)
}
