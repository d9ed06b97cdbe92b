import type { Git, Repository } from '../git.ts'
import { type CommitRange, createRangeWalker } from '../history/range-walk.ts'
import { countCommits } from './commit-count.ts'

/** Up to this number, long ranges get a process each, which is faster with long histories. */
const fewRanges = 20
/** What is read in process for more ranges: all together. */
const manyLimits = { visits: 50_000, steps: 1_000_000 }

/**
 * Counts the commits of each range. Any number of ranges costs few processes if the two ends of
 * each are close, as with a push of thousands of branches. Throws like `countCommits`.
 */
export async function countRanges(
  git: Git,
  repository: Repository,
  ranges: readonly CommitRange[],
): Promise<number[]> {
  const isMany = ranges.length > fewRanges
  const walk = createRangeWalker(git, repository, isMany ? manyLimits : undefined)
  const counts: number[] = []
  for (const range of ranges) {
    counts.push((await walk(range))?.length ?? (await countCommits(git, repository, range)))
  }
  return counts
}
