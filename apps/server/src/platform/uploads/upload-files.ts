import { randomBytes } from 'node:crypto'
import {
  copyFile,
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  rm,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { mediaType, mediaTypeBytes } from './media-type.ts'
import { uploadFilename } from './upload-filename.ts'

/** A file of a project: a part of its URL that nobody can guess, and its name. */
export interface UploadKey {
  /** 32 hexadecimal digits. */
  secret: string
  filename: string
}

/** An open file; its reader closes it. */
interface OpenUpload {
  handle: FileHandle
  size: number
  /** Its media type if it is a raster image, audio or video; other files are only downloaded. */
  type: string | undefined
}

/**
 * Writes a file to the data directory, where it is found by the id of its project, so that a rename
 * or transfer of that moves nothing.
 */
export async function saveUpload(
  config: Config,
  projectId: number,
  file: File,
): Promise<UploadKey> {
  const key = { secret: randomBytes(16).toString('hex'), filename: uploadFilename(file.name) }
  const folder = folderOf(config, projectId, key.secret)
  await mkdir(folder, { recursive: true, mode: 0o750 })
  try {
    await writeFile(join(folder, key.filename), file.stream(), { mode: 0o640, flush: true })
  } catch (error) {
    // A full disk leaves a part of the file.
    await removeUpload(config, projectId, key)
    throw error
  }
  return key
}

/** Opens a file of a project; undefined if there is none. */
export async function openUpload(
  config: Config,
  projectId: number,
  { secret, filename }: UploadKey,
): Promise<OpenUpload | undefined> {
  // Only names that `saveUpload` gives lead to a file.
  if (!/^[0-9a-f]{32}$/.test(secret) || uploadFilename(filename) !== filename) return undefined
  const handle = await openExisting(join(folderOf(config, projectId, secret), filename))
  if (handle === undefined) return undefined
  try {
    const { size } = await handle.stat()
    const start = Buffer.alloc(mediaTypeBytes)
    await handle.read(start, 0, mediaTypeBytes, 0)
    return { handle, size, type: mediaType(start) }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Removes one file of a project. */
export async function removeUpload(
  config: Config,
  projectId: number,
  { secret }: UploadKey,
): Promise<void> {
  await rm(folderOf(config, projectId, secret), { recursive: true, force: true })
}

/** Removes all files of a deleted project. */
export async function removeUploads(config: Config, projectId: number): Promise<void> {
  await rm(projectFolder(config, projectId), { recursive: true, force: true })
}

/** Maximum number of files that texts take with them. */
const maxLinked = 1000

/**
 * Gives the files that texts refer to a second project, under the same relative URLs, so that the
 * texts can be moved there.
 */
export async function shareUploads(
  config: Config,
  texts: readonly string[],
  projects: { from: number; to: number },
): Promise<void> {
  for (const secret of secretsIn(texts)) {
    const from = folderOf(config, projects.from, secret)
    const to = folderOf(config, projects.to, secret)
    for (const name of await readdir(from).catch(() => [])) {
      await mkdir(to, { recursive: true, mode: 0o750 })
      await linkOrCopy(join(from, name), join(to, name))
    }
  }
}

/** The beginning of a path of a file in a text, with its secret. */
export const uploadPath = /\/uploads\/([0-9a-f]{32})\//g

function secretsIn(texts: readonly string[]): ReadonlySet<string> {
  const secrets = new Set<string>()
  for (const text of texts) {
    for (const [, secret = ''] of text.matchAll(uploadPath)) {
      if (secrets.size >= maxLinked) return secrets
      secrets.add(secret)
    }
  }
  return secrets
}

/** A hard link takes no space; not every file system has them. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    await copyFile(from, to)
  }
}

async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function projectFolder({ data }: Config, projectId: number): string {
  return join(data, 'uploads', 'projects', String(projectId))
}

function folderOf(config: Config, projectId: number, secret: string): string {
  return join(projectFolder(config, projectId), secret)
}
