import { claimJobs, findDueQueues, requeueExpiredJobs } from '@stithy/store'
import type { HeldJob } from './leases.ts'
import { maxWaiting, separateQueues, separateSlots, sharesSlots, slowQueue } from './queues.ts'
import { runJob } from './run-job.ts'
import type { WorkerState } from './worker-state.ts'

/** How often expired leases of other workers are released, in milliseconds. */
const expiryMs = 1000
/** Jobs start for as long, in milliseconds, before others have their turn in the event loop. */
const turnMs = 5
/** Jobs are claimed ahead if the last one started within as long, in milliseconds. */
const flowMs = 100

/** Polls for due jobs, again if it does so already. */
export function wake(state: WorkerState): void {
  if (state.stopping) return
  if (state.polling !== undefined) {
    state.pollAgain = true
    return
  }
  state.polling = poll(state)
    .catch((error: unknown) => state.app.log.error({ err: error }, 'the job queue cannot be read'))
    .finally(() => {
      state.polling = undefined
      if (!state.pollAgain) return
      state.pollAgain = false
      wake(state)
    })
}

async function poll(state: WorkerState): Promise<void> {
  await requeueExpired(state)
  await claimDueJobs(state)
}

/** Releases the expired leases of dead workers; not on every poll, which may happen for each job. */
async function requeueExpired(state: WorkerState): Promise<void> {
  const now = state.app.now()
  if (now - state.expiredAt < expiryMs) return
  state.expiredAt = now
  await requeueExpiredJobs(state.app.db.asyncCommit, now)
}

/**
 * Claims due jobs for the free slots, and runs them: the queues take turns, so that many jobs of one
 * don't hold up the others. One read if nothing is due.
 */
async function claimDueJobs(state: WorkerState): Promise<void> {
  const { app, separate } = state
  const starving = [...state.starving]
  const due = await findDueQueues(app.db, { queues: state.queues, now: app.now() })
  for (const queue of separateQueues.filter((name) => due.includes(name))) {
    const slots = separate[queue]
    const jobs = await claim(state, queue, separateSlots[queue] - slots.size)
    for (const held of jobs) trackSeparate(state, held, slots)
  }
  for (const queue of starving.filter((name) => !due.includes(name))) state.starving.delete(queue)
  const isServed = await claimInTurn(state, due)
  startClaimed(state)
  if (isServed && !state.slow && due.includes(slowQueue)) {
    for (const held of await claim(state, slowQueue, 1)) {
      track(state, trackSlow(state, run(state, held)), state.running)
    }
  }
}

/** Returns whether a slot is left that no job of these queues needs. */
async function claimInTurn(state: WorkerState, due: readonly string[]): Promise<boolean> {
  const { running, claimed, concurrency } = state
  const shared = due.filter(sharesSlots)
  let hasMore = false
  // Behind jobs that take long, short ones would wait as well.
  const flows = running.size < concurrency || performance.now() - state.startedAt < flowMs
  const sharing = claimed.inTurn(shared)
  for (const [at, queue] of sharing.entries()) {
    const free = Math.max(0, concurrency - running.size - claimed.count())
    const share = Math.ceil(free / (sharing.length - at))
    const known = claimed.count(queue)
    // Beside others that wait it needs one for its next turn.
    const next = claimed.count() > 0 ? 1 : 0
    const ahead = flows ? claimed.ahead(queue, concurrency) : 0
    const limit = Math.max(share, Math.max(next, ahead) - known)
    const jobs = await claim(state, queue, limit)
    if (jobs.length > 0 && claimed.count() === 0) state.startedAt = performance.now()
    for (const held of jobs) claimed.add(held)
    state.starving.delete(queue)
    if (limit <= 0 || jobs.length === limit) state.unfinished.add(queue)
    else state.unfinished.delete(queue)
    hasMore ||= jobs.length === limit
  }
  if (running.size + claimed.count() >= concurrency) return false
  // Others had fewer jobs than their share.
  if (hasMore) state.pollAgain = true
  return !hasMore
}

async function claim(state: WorkerState, queue: string, limit: number): Promise<HeldJob[]> {
  const { app, owner, leaseMs, leases } = state
  if (limit <= 0 || state.stopping) return []
  const request = { queue, owner, now: app.now(), lease: leaseMs, limit }
  const jobs = await claimJobs(app.db.asyncCommit, request)
  // Released with all others if the worker was stopped meanwhile.
  return state.stopping ? [] : jobs.map((job) => leases.hold(job))
}

/** Starts claimed jobs in the free slots, for a few milliseconds at a time. */
function startClaimed(state: WorkerState): void {
  const { running, claimed, concurrency } = state
  while (running.size < concurrency && claimed.count() > 0) {
    if (state.starving.size > 0) return
    if (performance.now() - state.turnAt > turnMs) {
      startLater(state)
      return
    }
    const held = claimed.next()
    if (held === undefined) return
    // Another worker may have it by now.
    if (held.controller.signal.aborted) {
      state.leases.drop(held.job)
      continue
    }
    state.startedAt = performance.now()
    track(state, run(state, held), running)
    const { queue } = held.job
    if (claimed.count(queue) > 0 || !state.unfinished.delete(queue)) continue
    state.starving.add(queue)
    wake(state)
  }
}

/** SQLite answers in the same turn, so jobs that only ask it would leave no turn to others. */
function startLater(state: WorkerState): void {
  if (state.isDeferred) return
  state.isDeferred = true
  setImmediate(() => {
    state.isDeferred = false
    state.turnAt = performance.now()
    startClaimed(state)
  })
}

async function run(state: WorkerState, held: HeldJob): Promise<void> {
  const { app, handlers, completions, leases, claimed } = state
  const started = performance.now()
  await runJob({ app, handlers, complete: completions.add }, held)
  leases.drop(held.job)
  claimed.took(held.job.queue, performance.now() - started)
}

function trackSlow(state: WorkerState, work: Promise<void>): Promise<void> {
  state.slow = true
  return work.finally(() => {
    state.slow = false
  })
}

/** Tracks a job whose queue has separate slots, of which it may leave its own. */
function trackSeparate(state: WorkerState, held: HeldJob, slots: Set<Promise<void>>): void {
  const tracked = track(state, run(state, held), slots)
  held.leaveSlot = () => {
    if (state.waiting.size >= maxWaiting || !slots.delete(tracked)) return false
    state.waiting.add(tracked)
    wake(state)
    return true
  }
}

function track(state: WorkerState, work: Promise<void>, slots: Set<Promise<void>>): Promise<void> {
  const tracked = work.finally(() => {
    slots.delete(tracked)
    state.waiting.delete(tracked)
    startClaimed(state)
    if (slots !== state.running || state.claimed.count() === 0) wake(state)
  })
  slots.add(tracked)
  return tracked
}
