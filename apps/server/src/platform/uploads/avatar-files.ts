import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FieldErrors } from '@stithy/core'
import type { Config } from '../config/config.ts'
import { avatarFilename } from './avatar-url.ts'
import { imageType, mediaTypeBytes } from './media-type.ts'

/** Maximum size of an avatar, in bytes. */
const maxAvatarSize = 200 * 1024

/** Validates an avatar; returns errors by field, or undefined. */
export async function avatarErrors(file: File): Promise<FieldErrors | undefined> {
  if (file.size > maxAvatarSize) {
    return { avatar: ['is too big (should be at most 200 KB)'] }
  }
  const start = await file.slice(0, mediaTypeBytes).bytes()
  if (imageType(start) !== undefined) return undefined
  return {
    avatar: ['is not an image in a supported format (png, jpg, gif, webp, bmp, tiff, ico)'],
  }
}

/**
 * Writes a validated picture to the data directory; returns the value of the row's column. Each
 * file belongs to one row. Call it before the transaction, and remove the file if that fails.
 */
export async function saveAvatar(config: Config, file: File): Promise<string> {
  const key = randomBytes(16).toString('hex')
  const avatar = `${key}/${sanitizeFilename(file.name)}`
  await mkdir(folderOf(config, key), { recursive: true, mode: 0o750 })
  await writeFile(pathOf(config, avatar), file.stream(), { mode: 0o640, flush: true })
  return avatar
}

/** Removes an avatar's file after its row has changed. */
export async function removeAvatar(config: Config, avatar: string | null): Promise<void> {
  if (avatar !== null) await rm(pathOf(config, avatar), { force: true })
}

/**
 * Reads a picture with its media type and a name that changes with it; undefined when the file is
 * missing.
 */
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

/** Strips directories, and replaces characters that would need escaping in URLs and headers. */
function sanitizeFilename(filename: string): string {
  const base = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1)
  const tidy = base.replace(/[^A-Za-z0-9._-]+/g, '_').replace(/^\.+/, '')
  return tidy === '' ? 'avatar' : tidy.slice(-100)
}
