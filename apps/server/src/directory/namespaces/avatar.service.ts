import { validationFailed } from '@stithy/core'
import type { App } from '../../platform/app.ts'
import { avatarErrors, removeAvatar, saveAvatar } from '../../platform/uploads/avatar-files.ts'

/** A new picture; null removes the current one, undefined keeps it. */
export type AvatarChange = File | null | undefined

/**
 * Reads the parameter: a blank value removes the picture. A part of a form for which no file was
 * chosen has been left out; an empty file is no picture.
 */
export function avatarChange(file: File | undefined, sent: ReadonlySet<string>): AvatarChange {
  return file ?? (sent.has('avatar') ? null : undefined)
}

/**
 * Calls `write` with the new value of the row's avatar column. The file is written before the row
 * refers to it, removed when the write fails, and replaces the file of `old` when it succeeds.
 * @throws DomainError `validation_failed` for a file that is not an image.
 */
export async function withAvatar<T>(
  app: App,
  change: AvatarChange,
  old: string | null,
  write: (avatar: { avatar?: string | null }) => Promise<T>,
): Promise<T> {
  if (change === undefined) return write({})
  if (change === null) {
    const result = await write({ avatar: null })
    await removeAvatar(app.config, old)
    return result
  }
  const errors = await avatarErrors(change)
  if (errors !== undefined) throw validationFailed(errors)
  const avatar = await saveAvatar(app.config, change)
  try {
    const result = await write({ avatar })
    await removeAvatar(app.config, old)
    return result
  } catch (error) {
    await removeAvatar(app.config, avatar)
    throw error
  }
}
