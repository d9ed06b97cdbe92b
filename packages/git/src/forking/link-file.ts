import { constants, copyFile, link } from 'node:fs/promises'
import { flush } from '../repository.ts'

/** Why two names can't share a file: file systems differ, lack links, or the file has too many. */
const unlinkable: ReadonlySet<unknown> = new Set([
  'EXDEV',
  'EMLINK',
  'EPERM',
  'EACCES',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
])

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/**
 * Gives an immutable file a second name; where the file systems don't allow that, copies it. An
 * existing target stays as it is.
 * @returns false if the source no longer exists.
 */
export async function linkFile(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') return true
    if (code === 'ENOENT') return false
    if (unlinkable.has(code)) return duplicate(from, to)
    throw error
  }
}

/** Copies a file, sharing its blocks where the file system can. */
async function duplicate(from: string, to: string): Promise<boolean> {
  const { COPYFILE_EXCL, COPYFILE_FICLONE } = constants
  try {
    await copyFile(from, to, COPYFILE_EXCL | COPYFILE_FICLONE)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') return true
    if (code === 'ENOENT') return false
    throw error
  }
  await flush(to)
  return true
}
