import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Repository } from '../git.ts'
import { makeFanout, objectFolder } from './loose-objects.ts'

/** A place for objects that may turn out to be useless: git reads the repository's and writes here. */
export interface Scratch {
  /** A folder of objects. */
  path: string
  /** Makes git use it. */
  env: Record<string, string>
  /** Moves what was written into the repository, but for the objects named. */
  keep: (except: ReadonlySet<string>) => Promise<void>
}

/** In the list of folders git ends one at a colon; within quotes it does not. */
function quote(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`
}

/** Hands a scratch to `work` and removes it when that is done. What was not kept is gone. */
export async function withScratch<T>(
  repository: Repository,
  work: (scratch: Scratch) => Promise<T>,
): Promise<T> {
  const objects = objectFolder(repository)
  // The prefix tells git's clean-up that the folder may go once it is old.
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
    if (!/^[0-9a-f]{2}$/.test(name)) continue
    for (const rest of await readdir(join(from, name))) {
      const oid = name + rest
      if (!/^[0-9a-f]{40}$/.test(oid) || except.has(oid)) continue
      await rename(join(from, name, rest), join(await makeFanout(to, oid), rest))
    }
  }
}
