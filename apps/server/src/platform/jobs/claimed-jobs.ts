import type { HeldJob } from './leases.ts'

/** The most jobs of a queue that are claimed ahead. */
const maxAhead = 50
/** Jobs are claimed ahead for as long, in milliseconds: a longer wait is for other workers to end. */
const aheadMs = 25

/**
 * Jobs that were claimed for the slots that the queues share, in turns: the next one is of the queue
 * whose last turn is the longest ago. How many are claimed ahead follows how long those of the queue
 * take: many short ones at once, and none of those that could as well start in another worker.
 */
export interface ClaimedJobs {
  /** All, or those of a queue. */
  count: (queue?: string) => number
  add: (held: HeldJob) => void
  /** Removes the job whose turn it is. */
  next: () => HeldJob | undefined
  /** The queues in the order of their turns, those that had none as given. */
  inTurn: (queues: readonly string[]) => string[]
  /** How many jobs of a queue to claim ahead, with so many running at the same time. */
  ahead: (queue: string, concurrency: number) => number
  /** Records how long a job took, in milliseconds. */
  took: (queue: string, ms: number) => void
  /** Removes all jobs, of queues that turned out to be slower than expected. */
  clear: () => HeldJob[]
}

export function createClaimedJobs(): ClaimedJobs {
  const waiting = new Map<string, HeldJob[]>()
  const paces = createPaces()
  /** The queues that had a turn, the latest last. */
  const served = new Set<string>()
  let total = 0
  const inTurn = (queues: readonly string[]) => {
    const turns = [...served]
    return queues.toSorted((a, b) => turns.indexOf(a) - turns.indexOf(b))
  }
  return {
    ...paces,
    inTurn,
    count: (queue) => (queue === undefined ? total : (waiting.get(queue)?.length ?? 0)),
    add(held) {
      const { queue } = held.job
      const list = waiting.get(queue)
      if (list === undefined) waiting.set(queue, [held])
      else list.push(held)
      total += 1
    },
    next() {
      const [queue = ''] = inTurn([...waiting.keys()])
      const list = waiting.get(queue) ?? []
      const held = list.shift()
      if (held === undefined) return undefined
      if (list.length === 0) waiting.delete(queue)
      total -= 1
      served.delete(queue)
      served.add(queue)
      return held
    },
    clear() {
      const all = [...waiting.values()].flat()
      for (const queue of waiting.keys()) paces.forget(queue)
      waiting.clear()
      total = 0
      return all
    },
  }
}

/** How long the jobs of each queue take. */
function createPaces() {
  /** Milliseconds, the last jobs weighing most. */
  const paces = new Map<string, number>()
  return {
    ahead(queue: string, concurrency: number) {
      const pace = paces.get(queue)
      if (pace === undefined) return 0
      return Math.min(maxAhead, Math.floor((aheadMs * concurrency) / Math.max(pace, 0.01)))
    },
    took(queue: string, ms: number) {
      const pace = paces.get(queue) ?? ms
      // One long job says more than one short one.
      paces.set(queue, ms > pace ? (pace + ms) / 2 : 0.9 * pace + 0.1 * ms)
    },
    forget: (queue: string) => {
      paces.delete(queue)
    },
  }
}
