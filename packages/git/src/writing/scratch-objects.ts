import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Repository } from '../git.ts'
import { makeFanout, objectFolder } from './loose-objects.ts'

/**
 * Temporary object storage: git reads the repository's objects and writes here, loose objects or
 * packs.
 */
export interface Scratch {
  /** An object folder. */
  path: string
  /** The environment that makes git use it. */
  env: Record<string, string>
  /** Moves the written objects into the repository, except the given ones. */
  keep: (except: ReadonlySet<string>) => Promise<void>
}

/** Quotes a path for git's list of object folders, which is separated by colons. */
function quote(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`
}

/**
 * Runs `work` with a temporary object folder and removes it afterwards, with all objects that were
 * not kept.
 */
export async function withScratch<T>(
  repository: Repository,
  work: (scratch: Scratch) => Promise<T>,
): Promise<T> {
  const objects = objectFolder(repository)
  // With this prefix, git's clean-up may remove the folder once it is old.
  const path = await mkdtemp(join(objects, 'tmp_objdir-scratch-'))
  try {
    return await work({
      path,
      env: { GIT_OBJECT_DIRECTORY: path, GIT_ALTERNATE_OBJECT_DIRECTORIES: quote(objects) },
      keep: (except) => moveObjects(path, objects, except),
    })
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

async function moveObjects(from: string, to: string, except: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(from)) {
    if (name === 'pack') await movePacks(join(from, name), join(to, name))
    if (!/^[0-9a-f]{2}$/.test(name)) continue
    for (const rest of await readdir(join(from, name))) {
      const oid = name + rest
      if (!/^[0-9a-f]{40}$/.test(oid) || except.has(oid)) continue
      await rename(join(from, name, rest), join(await makeFanout(to, oid), rest))
    }
  }
}

/** The pack of no objects, which a push of existing commits sends. */
const emptyPack = 'pack-029d08823bd8a8eab510ad6ac75c823cfd3ed31e'
const packFile = /^(pack-[0-9a-f]{40})\.(?:pack|rev|idx)$/

async function movePacks(from: string, to: string): Promise<void> {
  const names = (await readdir(from)).filter((name) => {
    const pack = packFile.exec(name)?.[1]
    return pack !== undefined && pack !== emptyPack
  })
  // Git finds a pack by its index, so that is moved last.
  const isIndex = (name: string) => (name.endsWith('.idx') ? 1 : 0)
  for (const name of names.toSorted((a, b) => isIndex(a) - isIndex(b))) {
    await rename(join(from, name), join(to, name))
  }
}
