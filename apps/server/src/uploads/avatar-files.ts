import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FieldErrors, UploadedFile } from '@stithy/core'
import type { Config } from '../config/config.ts'
import { avatarFilename } from './avatar-url.ts'
import { imageType } from './image-type.ts'

/** Largest avatar, in bytes. */
const maxAvatarSize = 200 * 1024

/** What is wrong with a picture that is to be an avatar; undefined when nothing is. */
export function avatarErrors(file: UploadedFile): FieldErrors | undefined {
  if (file.bytes.length > maxAvatarSize) {
    return { avatar: ['is too big (should be at most 200 KB)'] }
  }
  if (imageType(file.bytes) !== undefined) return undefined
  return {
    avatar: ['is not a picture in one of the formats png, jpg, gif, webp, bmp, tiff and ico'],
  }
}

/**
 * Writes a checked picture to the data folder and answers what the row is to hold. Each file belongs to
 * one row, so that it can go with it; write it before the transaction, and remove it when that fails.
 */
export async function saveAvatar(config: Config, file: UploadedFile): Promise<string> {
  const key = randomBytes(16).toString('hex')
  const avatar = `${key}/${tidyName(file.filename)}`
  await mkdir(folderOf(config, key), { recursive: true, mode: 0o750 })
  await writeFile(pathOf(config, avatar), file.bytes, { mode: 0o640, flush: true })
  return avatar
}

/** Removes the file of a row that has another one now, or none. */
export async function removeAvatar(config: Config, avatar: string | null): Promise<void> {
  if (avatar !== null) await rm(pathOf(config, avatar), { force: true })
}

/** The picture, its media type, and a name that changes with it; undefined when the file is gone. */
export async function readAvatar(
  config: Config,
  avatar: string,
): Promise<{ bytes: Buffer; type: string; tag: string; filename: string } | undefined> {
  try {
    const bytes = await readFile(pathOf(config, avatar))
    const type = imageType(bytes) ?? 'application/octet-stream'
    return { bytes, type, tag: keyOf(avatar), filename: avatarFilename(avatar) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function keyOf(avatar: string): string {
  return avatar.slice(0, avatar.indexOf('/'))
}

function folderOf(config: Config, key: string): string {
  return join(config.data, 'uploads', 'avatars', key.slice(0, 2))
}

function pathOf(config: Config, avatar: string): string {
  const key = keyOf(avatar)
  return join(folderOf(config, key), key)
}

/** A name without folders, and of characters that need no escape in addresses and headers. */
function tidyName(filename: string): string {
  const base = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1)
  const tidy = base.replace(/[^A-Za-z0-9._-]+/g, '_').replace(/^\.+/, '')
  return tidy === '' ? 'avatar' : tidy.slice(-100)
}
