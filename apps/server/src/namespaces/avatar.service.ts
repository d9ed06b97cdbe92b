import { type UploadedFile, validationFailed } from '@stithy/core'
import type { App } from '../app.ts'
import { avatarErrors, removeAvatar, saveAvatar } from '../uploads/avatar-files.ts'

/** A new picture, null to remove the one that is there, undefined to leave it. */
export type AvatarChange = UploadedFile | null | undefined

/** What was asked for: an empty part of a form has no picture in it, and a blank value removes one. */
export function avatarChange(
  file: UploadedFile | undefined,
  sent: ReadonlySet<string>,
): AvatarChange {
  if (file !== undefined && file.bytes.length > 0) return file
  return sent.has('avatar') ? null : undefined
}

/**
 * Hands a change of picture to `write`, which puts it into a row: the file is there before the row names
 * it, goes when the write fails, and takes the place of `old` when it does not.
 * @throws DomainError `validation_failed` for what is no picture.
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
  const errors = avatarErrors(change)
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
