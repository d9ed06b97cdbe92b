import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** The longest that anything kept the event loop from other work. */
export interface EventLoopWatch {
  /** Names what is running, for the message; the last name counts. */
  note: (activity: string) => void
  /** Does work of the test itself, which doesn't count. */
  exclude: <T>(work: () => T) => T
  /** Rejects with an Error if the event loop was blocked for longer than the limit. */
  stop: () => Promise<void>
}

/** No request may keep others waiting for as long, in milliseconds of processor time. */
const limitMs = 200
const intervalMs = 5

/**
 * What runs for the first time is compiled, prepared and loaded first, once per process, so the
 * first requests and jobs of a kind are allowed three times as much.
 */
const firstRequests = 3
const firstFactor = 3
function kindOf(activity: string): string {
  const [path = ''] = activity.slice(0, 100).split('?', 1)
  return path.replace(/\d+/g, ':id')
}

/** The requests and jobs of this process by kind: `GET /projects/:id`. */
const requests = new Map<string, number>()

const referenceSteps = 500_000
/** Many times the precision of the processor time, which many systems know to 4 ms. */
const minReferenceMs = 40
/** A processor that is shared with others is rarely slower than that. */
const maxSlowdown = 3
let fastestMs = Number.POSITIVE_INFINITY

/** The processor time of a fixed piece of work, in milliseconds: the mean of many runs. */
function referenceMs(): number {
  const start = process.threadCpuUsage()
  let sum = 0
  for (let runs = 1; ; runs += 1) {
    for (let step = 0; step < referenceSteps; step += 1) sum = (sum * 31 + step) | 0
    const { user, system } = process.threadCpuUsage(start)
    // The sum is used, so that the work isn't optimised away.
    const ms = (user + system + (sum & 1)) / 1000
    if (ms >= minReferenceMs) return ms / runs
  }
}

/** How much longer the same work takes than at its fastest, because others use the processor. */
function slowdown(): number {
  const now = referenceMs()
  fastestMs = Math.min(fastestMs, now)
  return Math.min(now / fastestMs, maxSlowdown)
}

/** What runs on this thread, whichever server does it, and how much it is allowed. */
let running = { activity: 'the start', factor: firstFactor }
/** Tests replace the property by a clock of theirs. */
const now = performance.now.bind(performance)
let last = process.threadCpuUsage()
let lastAt = now()
/** What the thread did without a pause; times are those of `performance.now`. */
interface Sample {
  ms: number
  factor: number
  activity: string
  from: number
  to: number
}

/** The watches that are open; each is given what the thread used without a pause. */
const watches = new Set<(sample: Sample) => void>()

function reset(): void {
  last = process.threadCpuUsage()
  lastAt = now()
}

/** Measures what has run since the last sample. */
function sample(): void {
  const { user, system } = process.threadCpuUsage(last)
  const measured = { ms: (user + system) / 1000, ...running, from: lastAt, to: now() }
  for (const measure of watches) measure(measured)
  reset()
}

/** The last full collections of this thread. */
const collections: { from: number; to: number }[] = []
const maxCollections = 1000
/** An entry of a collection, which has no type in `node:perf_hooks`. */
type CollectionEntry = PerformanceEntry & { detail: { kind: number } }
new PerformanceObserver((list) => {
  for (const { startTime, duration, detail } of list.getEntries() as CollectionEntry[]) {
    if (detail.kind !== constants.NODE_PERFORMANCE_GC_MAJOR) continue
    collections.push({ from: startTime, to: startTime + duration })
  }
  collections.splice(0, collections.length - maxCollections)
}).observe({ entryTypes: ['gc'] })

/**
 * The share of the time of a sample that full collections did not take. Both are measured by the
 * clock, so that it holds however much of the processor the thread had meanwhile.
 */
function shareOfWork({ from, to }: Sample): number {
  let collecting = 0
  for (const gc of collections) {
    collecting += Math.max(0, Math.min(gc.to, to) - Math.max(gc.from, from))
  }
  return Math.max(0, 1 - collecting / (to - from))
}

function note(activity: string): void {
  // Requests that follow each other without a turn of the event loop are not one.
  sample()
  const kind = kindOf(activity)
  const count = (requests.get(kind) ?? 0) + 1
  requests.set(kind, count)
  running = { activity, factor: count > firstRequests ? 1 : firstFactor }
}

function exclude<T>(work: () => T): T {
  sample()
  const done = work()
  reset()
  return done
}

/**
 * Watches the event loop of this thread: a timer that comes late by more than `limitMs` of the
 * thread's own processor time. Time in which other processes had the processor doesn't count, and
 * neither does what the thread is slower for sharing it, so that a busy machine fails no test. Nor
 * do full collections of garbage: the heap is that of all tests that this process has run.
 */
export function watchEventLoop(allowedMs = limitMs): EventLoopWatch {
  sample()
  running = { activity: 'the start', factor: firstFactor }
  exclude(slowdown)
  /** What took too long, with the collections in it. */
  const late: Sample[] = []
  const measure = (measured: Sample) => {
    if (measured.ms / measured.factor <= allowedMs) return
    const ms = measured.ms / slowdown()
    if (ms / measured.factor > allowedMs) late.push({ ...measured, ms })
  }
  watches.add(measure)
  const timer = setInterval(sample, intervalMs).unref()
  return {
    note,
    exclude,
    async stop() {
      clearInterval(timer)
      watches.delete(measure)
      if (late.length === 0) return
      // Collections are reported after a turn of the event loop, and observed after another.
      await nextTurn()
      await nextTurn()
      let longest = { ms: 0, activity: '' }
      for (const one of late) {
        const ms = (one.ms * shareOfWork(one)) / one.factor
        if (ms > longest.ms) longest = { ms, activity: one.activity }
      }
      if (longest.ms <= allowedMs) return
      const took = `${Math.round(longest.ms)} ms, of ${allowedMs} ms allowed`
      throw new Error(`The event loop was blocked for ${took}, during ${longest.activity}`)
    },
  }
}
