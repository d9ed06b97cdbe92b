import { setImmediate } from 'node:timers/promises'
import type { Git, Repository } from '../git.ts'
import { readCommit } from '../reading/text-object.ts'
import { countCommits } from './commit-count.ts'

/** The commits reachable from `tip` but not from `notReachableFrom`; both are full ids. */
export interface CommitRange {
  tip: string
  notReachableFrom?: string
}

/** Up to this number, each range gets its own process, which is faster with long histories. */
const fewRanges = 20
/** The maximum number of commits read in process for all ranges, and of steps between them. */
const maxVisits = 50_000
const maxSteps = 1_000_000
/** The number of steps after which the event loop gets a turn. */
const stepsPerTick = 1000

/**
 * Counts the commits of each range. Any number of ranges costs few processes if the two ends of
 * each are close, as with a push of thousands of branches. Throws like `countCommits`.
 */
export async function countRanges(
  git: Git,
  repository: Repository,
  ranges: readonly CommitRange[],
): Promise<number[]> {
  const walker = createWalker(git, repository)
  const counts: number[] = []
  for (const range of ranges) {
    if (await isSingleCommit(git, repository, range)) {
      counts.push(1)
      continue
    }
    const walked = ranges.length > fewRanges ? await walker(range) : undefined
    counts.push(walked ?? (await countCommits(git, repository, range)))
  }
  return counts
}

/**
 * Whether the tip is a single commit on top of the other end, like each commit that the API
 * creates.
 */
async function isSingleCommit(
  git: Git,
  repository: Repository,
  { tip, notReachableFrom }: CommitRange,
): Promise<boolean> {
  if (notReachableFrom === undefined) return false
  const parents = (await readCommit(git, repository, tip))?.parents
  return parents?.length === 1 && parents[0] === notReachableFrom
}

interface Visit {
  oid: string
  parents: readonly string[]
  /** Milliseconds. */
  date: number
}

const fromTip = 1
const fromKnown = 2

/** Extra steps after the dates say that everything is known, since clocks may be wrong. */
const slack = 16

type Walker = (range: CommitRange) => Promise<number | undefined>

/** Counts a range by reading its commits; undefined if that would be too many. */
function createWalker(git: Git, repository: Repository): Walker {
  const visits = new Map<string, Visit>()
  let steps = 0
  const mayGoOn = async () => {
    steps += 1
    if (steps % stepsPerTick === 0) await setImmediate()
    return steps < maxSteps
  }
  const visit = async (oid: string): Promise<Visit | undefined> => {
    const known = visits.get(oid)
    if (known !== undefined) return known
    if (visits.size >= maxVisits) return undefined
    const commit = await readCommit(git, repository, oid)
    // With too many parents git counts.
    if (commit === undefined || commit.hasMoreParents) return undefined
    const found = { oid, parents: commit.parents, date: Date.parse(commit.committer.date) }
    visits.set(oid, found)
    return found
  }
  return async ({ tip, notReachableFrom }) => {
    if (notReachableFrom === undefined) return undefined
    return countUnreached({ visit, mayGoOn }, tip, notReachableFrom)
  }
}

interface Limited {
  visit: (oid: string) => Promise<Visit | undefined>
  mayGoOn: () => Promise<boolean>
}

/**
 * Walks both ends backwards, newest commit first, until no commit is left that only the tip
 * reaches.
 */
async function countUnreached(
  { visit, mayGoOn }: Limited,
  tip: string,
  known: string,
): Promise<number | undefined> {
  const colours = new Map<string, number>()
  const queue = createQueue()
  const reach = async (oid: string, colour: number): Promise<boolean> => {
    const before = colours.get(oid) ?? 0
    if ((before | colour) === before) return true
    const found = await visit(oid)
    if (found === undefined) return false
    colours.set(oid, before | colour)
    queue.push(found)
    return true
  }
  if (!(await reach(tip, fromTip)) || !(await reach(known, fromKnown))) return undefined
  let spare = slack
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (!(await mayGoOn())) return undefined
    const colour = colours.get(next.oid) ?? 0
    for (const parent of next.parents) if (!(await reach(parent, colour))) return undefined
    const open = queue.items.some(({ oid }) => colours.get(oid) === fromTip)
    if (open) spare = slack
    else if (spare-- === 0) break
  }
  return [...colours.values()].filter((colour) => colour === fromTip).length
}

/** The commits to visit, newest first; there are as many as lines of history. */
function createQueue() {
  const items: Visit[] = []
  return {
    items,
    push(visit: Visit) {
      let low = 0
      let high = items.length
      while (low < high) {
        const middle = (low + high) >> 1
        if ((items[middle]?.date ?? 0) < visit.date) low = middle + 1
        else high = middle
      }
      items.splice(low, 0, visit)
    },
    pop: () => items.pop(),
  }
}
