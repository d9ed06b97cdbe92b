import type { Dirent } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git, Repository } from '../git.ts'
import { updateRefs, zeroOid } from '../refs/refs.ts'
import { temporaryRefs } from './housekeeping.ts'

/** Leftovers of an interrupted creation, removal or snapshot of a repository. */
const partialRepository = /\.git(?:\.[0-9a-f]{12}\.(?:new|old)){1,2}$/
/** Quarantines of pushes, and packs that were being written. */
const quarantine = /^(?:tmp_objdir-|incoming-)/
const halfPack = /^\.?tmp[-_]/

export interface SweepOptions {
  /** Milliseconds since the epoch: newer leftovers may still be in use. */
  before: number
  signal?: AbortSignal
  /** Whether a repository, by its path, belongs to nothing any more; by default none is. */
  isOrphan?: (path: string) => Promise<boolean>
  /** Called for each leftover that can't be removed; the sweep continues. */
  onError?: (error: unknown, path: string) => void
}

/**
 * Removes the leftovers of crashes in the repositories under `root`: partially created and removed
 * repositories, quarantines of pushes, partial packs, stale locks, and temporary refs. Returns how
 * many there were.
 */
export async function sweepRepositories(
  git: Git,
  root: string,
  options: SweepOptions,
): Promise<number> {
  if (options.signal?.aborted) return 0
  let swept = 0
  for (const entry of await list(root)) {
    const path = join(root, entry.name)
    if (!entry.isDirectory()) continue
    try {
      if (partialRepository.test(entry.name) || (await isOrphan(path, options)))
        swept += await removeOld(path, options.before)
      else if (entry.name.endsWith('.git')) swept += await sweepRepository(git, { path }, options)
      else swept += await sweepRepositories(git, path, options)
    } catch (error) {
      options.onError?.(error, path)
    }
  }
  return swept
}

async function isOrphan(path: string, { isOrphan }: SweepOptions): Promise<boolean> {
  return path.endsWith('.git') && isOrphan !== undefined && (await isOrphan(path))
}

async function sweepRepository(
  git: Git,
  repository: Repository,
  { before }: SweepOptions,
): Promise<number> {
  const { path } = repository
  const objects = join(path, 'objects')
  const packs = join(objects, 'pack')
  let swept = await sweepFolder(path, isLock, before)
  swept += await sweepQuarantines(objects, before)
  swept += await sweepFolder(packs, (entry) => isLock(entry) || halfPack.test(entry.name), before)
  swept += await sweepTree(join(objects, 'info'), isLock, before)
  swept += await sweepTree(join(path, 'refs'), isLock, before)
  return swept + (await sweepRefs(git, repository, before))
}

/** A branch can't have such a name: git reserves the suffix. */
function isLock(entry: Dirent): boolean {
  return entry.isFile() && entry.name.endsWith('.lock')
}

type ToBeDeleted = (entry: Dirent) => boolean

async function sweepFolder(
  folder: string,
  isToBeDeleted: ToBeDeleted,
  before: number,
): Promise<number> {
  let swept = 0
  for (const entry of await list(folder)) {
    if (isToBeDeleted(entry)) swept += await removeOld(join(folder, entry.name), before)
  }
  return swept
}

/**
 * Removes object folders in which nothing was written since then, also not by a server that runs
 * beside: a living process writes its pack as it arrives, and ends a push that stalls, or ends a
 * merge, long before. The age of the folder alone says little: a push may take longer than that.
 */
async function sweepQuarantines(objects: string, before: number): Promise<number> {
  let swept = 0
  for (const { name } of await list(objects)) {
    const folder = join(objects, name)
    if (!quarantine.test(name) || !(await isIdle(folder, before))) continue
    swept += await removeOld(folder, before)
  }
  return swept
}

/** Whether nothing below a folder was written since then. */
async function isIdle(folder: string, before: number): Promise<boolean> {
  for (const entry of await list(folder)) {
    const path = join(folder, entry.name)
    if (!(await isOld(path, before))) return false
    if (entry.isDirectory() && !(await isIdle(path, before))) return false
  }
  return true
}

async function sweepTree(
  folder: string,
  isToBeDeleted: ToBeDeleted,
  before: number,
): Promise<number> {
  let swept = await sweepFolder(folder, isToBeDeleted, before)
  for (const entry of await list(folder)) {
    if (entry.isDirectory())
      swept += await sweepTree(join(folder, entry.name), isToBeDeleted, before)
  }
  return swept
}

/** Removes temporary refs; `runHousekeeping` leaves them loose, so their files show their age. */
async function sweepRefs(git: Git, repository: Repository, before: number): Promise<number> {
  let swept = 0
  for (const entry of await list(join(repository.path, temporaryRefs))) {
    if (!entry.isFile() || isLock(entry)) continue
    const ref = `${temporaryRefs}/${entry.name}`
    if (!(await isOld(join(repository.path, ref), before))) continue
    await updateRefs(git, repository, [{ ref, newOid: zeroOid }])
    swept += 1
  }
  return swept
}

async function removeOld(path: string, before: number): Promise<number> {
  if (!(await isOld(path, before))) return 0
  await rm(path, { recursive: true, force: true, maxRetries: 3 })
  return 1
}

async function isOld(path: string, before: number): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  return stats !== undefined && stats.mtimeMs < before
}

/** The entries of a folder; none if it no longer exists. */
function list(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => [])
}
