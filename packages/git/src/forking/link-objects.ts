import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Repository } from '../git.ts'
import { GitError } from '../git-error.ts'
import { flush } from '../repository.ts'
import { objectFolder } from '../writing/loose-objects.ts'
import { linkFile } from './link-file.ts'

/** Loose objects that are linked concurrently. */
const batch = 64

/**
 * The files of a pack by their endings. The index comes last: without it git does not look at the
 * others.
 */
const packEndings = ['pack', 'rev', 'mtimes', 'bitmap', 'idx'] as const

/**
 * Gives a repository all objects of another, by a second name for each file: git never changes an
 * object or a pack once it is written, it only adds and deletes them. Neither side loses anything
 * by what the other deletes.
 *
 * Every object that is in the source from the beginning to the end is in the target, also while git
 * repacks the source or pushes arrive: packing moves loose objects into packs, never back, and
 * writes the new pack before it deletes the old one.
 * @throws GitError `not_found` if the source is deleted.
 */
export async function linkObjects(source: Repository, target: Repository): Promise<void> {
  const [from, to] = [objectFolder(source), objectFolder(target)]
  await linkLooseObjects(from, to)
  await linkPacks(join(from, 'pack'), join(to, 'pack'))
  await flush(join(to, 'pack'))
  await flush(to)
}

/** The names in a folder; none if it doesn't exist. */
function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}

async function linkLooseObjects(from: string, to: string): Promise<void> {
  for (const name of await namesIn(from)) {
    if (!/^[0-9a-f]{2}$/.test(name)) continue
    const objects = (await namesIn(join(from, name))).filter((id) => /^[0-9a-f]{38}$/.test(id))
    if (objects.length === 0) continue
    await mkdir(join(to, name), { recursive: true })
    for (let start = 0; start < objects.length; start += batch) {
      const ids = objects.slice(start, start + batch)
      // One that no longer exists has been packed, or was reachable from nothing.
      await Promise.all(ids.map((id) => linkFile(join(from, name, id), join(to, name, id))))
    }
    await flush(join(to, name))
  }
}

/** Until there is no pack that isn't linked: another look costs little, and pushes take longer. */
async function linkPacks(from: string, to: string): Promise<void> {
  const linked = new Set<string>()
  for (;;) {
    const missing = (await completePacks(from)).filter((pack) => !linked.has(pack))
    if (missing.length === 0) return
    for (const pack of missing) if (await linkPack(from, to, pack)) linked.add(pack)
  }
}

/** Packs with their index, without an ending. */
async function completePacks(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => {
    throw new GitError('not_found', `no repository: ${folder}`)
  })
  const names = new Set(files)
  return files
    .filter((name) => /^pack-[0-9a-f]{40}\.idx$/.test(name))
    .map((name) => name.slice(0, -'.idx'.length))
    .filter((pack) => names.has(`${pack}.pack`))
}

/** False if it was deleted meanwhile; then nothing of it is left in the target. */
async function linkPack(from: string, to: string, pack: string): Promise<boolean> {
  for (const ending of packEndings) {
    const name = `${pack}.${ending}`
    const exists = await linkFile(join(from, name), join(to, name))
    if (exists || (ending !== 'pack' && ending !== 'idx')) continue
    for (const each of packEndings) await rm(join(to, `${pack}.${each}`), { force: true })
    return false
  }
  return true
}

/**
 * Links the commit graph, if it is complete. Read before the refs and the objects, so that it names
 * no commit that came later; without it, git is only slower.
 */
export async function linkCommitGraph(source: Repository, target: Repository): Promise<void> {
  const at = (repository: Repository) => join(objectFolder(repository), 'info', 'commit-graphs')
  const [from, to] = [at(source), at(target)]
  const chain = await readFile(join(from, 'commit-graph-chain'), 'latin1').catch(() => '')
  const ids = chain.split('\n').filter((line) => /^[0-9a-f]{40}$/.test(line))
  if (ids.length === 0) return
  await rm(to, { recursive: true, force: true })
  await mkdir(to, { recursive: true })
  for (const id of ids) {
    const name = `graph-${id}.graph`
    if (!(await linkFile(join(from, name), join(to, name)))) {
      await rm(to, { recursive: true })
      return
    }
  }
  await writeFile(join(to, 'commit-graph-chain'), chain, { flush: true })
  await flush(to)
  await flush(join(to, '..'))
}
