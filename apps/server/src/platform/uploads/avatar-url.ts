import type { Config } from '../config/config.ts'
import { webUrl } from '../http/urls.ts'

/** Resources that have an avatar. */
export const avatarKinds = ['user', 'group', 'project'] as const
export type AvatarKind = (typeof avatarKinds)[number]

/**
 * The URL of an avatar of a user, group or project; null without one. `avatar` is the row's column:
 * the file's key, a slash, and the file name that was uploaded.
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

/** The file name in an avatar column. */
export function avatarFilename(avatar: string): string {
  return avatar.slice(avatar.indexOf('/') + 1)
}
