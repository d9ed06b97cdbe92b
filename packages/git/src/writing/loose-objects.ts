import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, rename, unlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { Git, Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { maxObjectBytes } from '../reading/object-reader.ts'

// Git's own writer (`fast-import`) costs a process or two per commit, about 36 ms where these few
// files cost 9 ms, nearly all of it the disk. The objects are the same as git's.

/** An object to store. */
export interface NewObject {
  oid: string
  type: 'blob' | 'tree' | 'commit'
  content: Buffer
}

const compress = promisify(deflate)

function headerOf(type: string, content: Buffer): Buffer {
  return Buffer.from(`${type} ${content.length}\0`)
}

/** Creates an object with the id of its content. */
export function newObject(type: NewObject['type'], content: Buffer): NewObject {
  const oid = createHash('sha1').update(headerOf(type, content)).update(content).digest('hex')
  return { oid, type, content }
}

/** The object folder of a repository. */
export function objectFolder(repository: Repository): string {
  return join(repository.path, 'objects')
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/**
 * Creates the fan-out folder `xx` below the objects, but not the object folder itself, whose
 * repository may be deleted.
 */
export async function makeFanout(objects: string, oid: string): Promise<string> {
  const folder = join(objects, oid.slice(0, 2))
  await mkdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'EEXIST') return
    throw codeOf(error) === 'ENOENT'
      ? new GitError('not_found', `no repository: ${objects}`)
      : error
  })
  return folder
}

/**
 * Freshens an existing object, as git does, so that it isn't pruned as old and unreachable. False
 * if there is none.
 */
async function freshenObject(path: string): Promise<boolean> {
  const now = new Date()
  return utimes(path, now, now).then(
    () => true,
    () => false,
  )
}

/** How often git may remove an empty folder between its creation and that of the file in it. */
const folderTries = 10

/**
 * Creates a file for an object, with a name like git's own, so that its clean-up removes it after a
 * crash.
 */
async function openTemporary(objects: string, oid: string) {
  for (let tries = folderTries; ; tries -= 1) {
    const folder = await makeFanout(objects, oid)
    const temporary = join(folder, `tmp_obj_${randomBytes(8).toString('hex')}`)
    try {
      return { temporary, handle: await open(temporary, 'wx', 0o444) }
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || tries <= 1) throw error
    }
  }
}

async function storeObject(objects: string, { oid, type, content }: NewObject): Promise<void> {
  const path = join(objects, oid.slice(0, 2), oid.slice(2))
  if (await freshenObject(path)) return
  const bytes = await compress(Buffer.concat([headerOf(type, content), content]), { level: 1 })
  const { temporary, handle } = await openTemporary(objects, oid)
  try {
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await unlink(temporary).catch(() => {})
    throw error
  }
}

const atOnce = 16

/** Writes objects into an object folder, each flushed to the disk. @throws GitError `not_found` */
export async function storeObjects(objects: string, list: readonly NewObject[]): Promise<void> {
  const pending = list.values()
  const work = async () => {
    for (const object of pending) await storeObject(objects, object)
  }
  const results = await Promise.allSettled(Array.from({ length: atOnce }, work))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/**
 * Writes objects that no ref reaches yet, and caches them, so that the next read needs no process.
 * @throws GitError `not_found` if there is no repository.
 */
export async function addObjects(
  git: Git,
  repository: Repository,
  list: readonly NewObject[],
): Promise<void> {
  const scope = git.parts.scopeOf(repository.path)
  await storeObjects(objectFolder(repository), list)
  for (const { oid, type, content } of list) {
    if (content.length > maxObjectBytes) continue
    const object = { oid, type, size: content.length, content }
    git.parts.cache.set(scope + oid, object, content.length)
  }
}
