import { setImmediate } from 'node:timers/promises'
import type { Git, Repository } from '../git.ts'
import { readCommit } from '../reading/text-object.ts'

/** The commits reachable from `tip` but not from `notReachableFrom`; both are full ids. */
export interface CommitRange {
  tip: string
  notReachableFrom?: string
}

/** What a walker may cost, over all its ranges. */
export interface WalkLimits {
  /** Commits that are read. */
  visits: number
  /** Steps between them. */
  steps: number
}

/** Less than what a git process costs. */
const smallLimits: WalkLimits = { visits: 256, steps: 2000 }

/** The number of steps after which the event loop gets a turn. */
const stepsPerTick = 1000

/** Lists the ids of a range, newest first; undefined if that takes more than the walker may. */
export type RangeWalker = (range: CommitRange) => Promise<string[] | undefined>

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

/** Lists ranges by reading their commits in process; the limits are those of all together. */
export function createRangeWalker(
  git: Git,
  repository: Repository,
  limits: WalkLimits = smallLimits,
): RangeWalker {
  const visits = new Map<string, Visit>()
  let steps = 0
  const mayGoOn = async () => {
    steps += 1
    if (steps % stepsPerTick === 0) await setImmediate()
    return steps < limits.steps
  }
  const visit = async (oid: string): Promise<Visit | undefined> => {
    const known = visits.get(oid)
    if (known !== undefined) return known
    if (visits.size >= limits.visits) return undefined
    const commit = await readCommit(git, repository, oid)
    // With too many parents git walks.
    if (commit === undefined || commit.hasMoreParents) return undefined
    const found = { oid, parents: commit.parents, date: Date.parse(commit.committer.date) }
    visits.set(oid, found)
    return found
  }
  return async ({ tip, notReachableFrom }) => {
    if (notReachableFrom === undefined) return undefined
    return listUnreached({ visit, mayGoOn }, tip, notReachableFrom)
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
async function listUnreached(
  { visit, mayGoOn }: Limited,
  tip: string,
  known: string,
): Promise<string[] | undefined> {
  const newest = await visit(tip)
  if (newest?.parents.length === 1 && newest.parents[0] === known) return [tip]
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
  const order: string[] = []
  let spare = slack
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (!(await mayGoOn())) return undefined
    order.push(next.oid)
    const colour = colours.get(next.oid) ?? 0
    for (const parent of next.parents) if (!(await reach(parent, colour))) return undefined
    const open = queue.items.some(({ oid }) => colours.get(oid) === fromTip)
    if (open) spare = slack
    else if (spare-- === 0) break
  }
  const seen = [...order, ...queue.items.map(({ oid }) => oid)]
  return seen.filter((oid) => colours.get(oid) === fromTip)
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
