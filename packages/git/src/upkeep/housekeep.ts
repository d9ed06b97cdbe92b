import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Git, type Repository, runIn } from '../git.ts'

/** Where writes keep refs for a moment; while there is one, refs stay unpacked, so that it can be found. */
export const temporaryRefs = 'refs/stithy'

/** Packing shall leave the machine to those who wait for an answer. */
const modest = [
  '-c',
  'pack.threads=2',
  '-c',
  'pack.windowMemory=64m',
  '-c',
  'core.fsyncMethod=batch',
]

const hourMs = 3_600_000

export interface HousekeepOptions {
  /**
   * All of it: one pack with bitmaps, and what nothing refers to is dropped two weeks after it came. It
   * takes as long as the repository is large. Otherwise what came since is packed.
   */
  full?: boolean
  signal?: AbortSignal
}

/**
 * Packs objects and refs and writes the commit graph, with the paths that commits changed. Safe beside
 * readers and pushes; it may take minutes. Throws GitError `timeout` (an hour a step), `aborted`.
 */
export async function housekeep(
  git: Git,
  repository: Repository,
  { full = false, signal }: HousekeepOptions = {},
): Promise<void> {
  const limits = { timeoutMs: hourMs, queued: false, ...(signal ? { signal } : {}) }
  const step = (...args: string[]) => runIn(git, repository, args, limits)
  if (!(await hasTemporaryRefs(repository))) await step('pack-refs', '--all', '--prune')
  if (full) {
    const settings = ['gc.packRefs=false', 'gc.writeCommitGraph=false', 'repack.writeBitmaps=true']
    const flags = settings.flatMap((setting) => ['-c', setting])
    await step(...modest, ...flags, 'gc', '--quiet', '--cruft', '--prune=2.weeks.ago')
  } else {
    await step(...modest, 'repack', '--quiet', '-d', '--geometric=2')
  }
  const split = full ? '--split=replace' : '--split'
  await step('commit-graph', 'write', '--reachable', '--changed-paths', split)
  // A reader keeps packs open that are gone; the next request opens those that took their place.
  git.parts.objects.forget(repository.path)
}

async function hasTemporaryRefs(repository: Repository): Promise<boolean> {
  const names = await readdir(join(repository.path, temporaryRefs)).catch(() => [])
  return names.length > 0
}
