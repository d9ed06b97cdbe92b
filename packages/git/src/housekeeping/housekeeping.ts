import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Git, type Repository, runIn } from '../git.ts'

/**
 * The namespace of short-lived refs of writes; while there is one, refs stay loose, so that it can
 * be found by age.
 */
export const temporaryRefs = 'refs/stithy'

/** One flush for all loose objects. */
const batch = ['-c', 'core.fsyncMethod=batch']

const hourMs = 3_600_000

export interface HousekeepingOptions {
  /**
   * Full housekeeping: one pack with bitmaps, and unreachable objects are pruned after two weeks.
   * Its time grows with the repository. Otherwise only new objects are packed.
   */
  full?: boolean
  signal?: AbortSignal
}

/**
 * Packs objects and refs and writes the commit graph with changed paths. Safe during reads and
 * pushes; may take minutes.
 * @throws GitError `timeout` (an hour per step), `aborted`.
 */
export async function runHousekeeping(
  git: Git,
  repository: Repository,
  { full = false, signal }: HousekeepingOptions = {},
): Promise<void> {
  const { housekeeping } = git.parts.limits
  const limits = { timeoutMs: hourMs, limits: housekeeping, queued: false }
  const options = signal ? { ...limits, signal } : limits
  const step = (...args: string[]) => runIn(git, repository, args, options)
  if (!(await hasTemporaryRefs(repository))) await step('pack-refs', '--all', '--prune')
  if (full) {
    const settings = ['gc.packRefs=false', 'gc.writeCommitGraph=false', 'repack.writeBitmaps=true']
    const flags = settings.flatMap((setting) => ['-c', setting])
    await step(...batch, ...flags, 'gc', '--quiet', '--cruft', '--prune=2.weeks.ago')
  } else {
    await step(...batch, 'repack', '--quiet', '-d', '--geometric=2')
  }
  const split = full ? '--split=replace' : '--split'
  await step('commit-graph', 'write', '--reachable', '--changed-paths', split)
  // A reader keeps deleted packs open; the next request opens the new ones.
  git.parts.objects.forget(repository.path)
}

async function hasTemporaryRefs(repository: Repository): Promise<boolean> {
  const names = await readdir(join(repository.path, temporaryRefs)).catch(() => [])
  return names.length > 0
}
