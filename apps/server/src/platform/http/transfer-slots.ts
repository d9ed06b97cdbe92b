import { DomainError } from '@stithy/core'
import type { App } from '../app.ts'

export interface TransferLimits {
  /** Transfers at once, by their weight. */
  total: number
  /** Transfers at once of one client, by their weight. */
  perClient: number
  /** Transfers that may wait. */
  queue: number
}

/**
 * The slots of fetches and pushes, of archives, of large bodies, or of searches: each holds processes,
 * memory or a connection.
 */
export interface TransferSlots {
  /**
   * Waits for slots; those of clients that have the fewest are next, in order of arrival. Returns the
   * function that releases them. A waiting client that disconnects (`signal`) leaves the queue.
   * @throws DomainError `too_many_requests` if the queue is full, for this client or for all
   */
  take: (client: string, signal: AbortSignal, options?: SlotOptions) => Promise<() => void>
  /** How many are taken, and how many clients wait. */
  counts: () => { taken: number; waiting: number }
}

export interface SlotOptions {
  /** How many slots it takes; default one. */
  weight?: number
  /** Whether the client has no account: all of them together have half of the slots and of the queue. */
  isAnonymous?: boolean
}

interface Waiter {
  client: string
  weight: number
  isAnonymous: boolean
  admit: (release: () => void) => void
}

/** No client may fill more of the queue, so that others still find room. */
const queueShare = 4
/** Nor may all without an account. */
const anonymousShare = 2
const retryAfterSeconds = 10

/** The slots that are taken. */
function createOccupancy({ total, perClient }: TransferLimits) {
  const running = new Map<string, number>()
  let taken = 0
  let anonymous = 0
  const runningOf = ({ client }: Waiter) => running.get(client) ?? 0
  const count = ({ client, isAnonymous }: Waiter, weight: number) => {
    taken += weight
    if (isAnonymous) anonymous += weight
    const own = (running.get(client) ?? 0) + weight
    if (own > 0) running.set(client, own)
    else running.delete(client)
  }
  return {
    taken: () => taken,
    runningOf,
    /** Whether a client may have as many more, once there are some. */
    hasShare: (waiter: Waiter) =>
      runningOf(waiter) + waiter.weight <= perClient &&
      (!waiter.isAnonymous || anonymous + waiter.weight <= Math.ceil(total / anonymousShare)),
    hasRoom: ({ weight }: Waiter) => taken + weight <= total,
    /** Takes slots; the function that is returned releases them. */
    occupy(waiter: Waiter, released: () => void): () => void {
      count(waiter, waiter.weight)
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        count(waiter, -waiter.weight)
        released()
      }
    },
  }
}

export function createTransferSlots(limits: TransferLimits): TransferSlots {
  const waiting = new Set<Waiter>()
  const { taken, runningOf, hasShare, hasRoom, occupy } = createOccupancy(limits)
  // A heavy transfer waits at the head of the queue, rather than being overtaken for ever.
  const nextWaiter = () =>
    [...waiting]
      .filter(hasShare)
      .reduce<Waiter | undefined>(
        (next, waiter) => (next && runningOf(next) <= runningOf(waiter) ? next : waiter),
        undefined,
      )
  const admitWaiting = () => {
    for (let next = nextWaiter(); next !== undefined; next = nextWaiter()) {
      if (!hasRoom(next)) return
      waiting.delete(next)
      next.admit(occupy(next, admitWaiting))
    }
  }
  return {
    async take(client, signal, { weight = 1, isAnonymous = false } = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      const waiter: Waiter = { client, weight, isAnonymous, admit: resolve }
      if (hasShare(waiter) && hasRoom(waiter) && nextWaiter() === undefined) {
        return occupy(waiter, admitWaiting)
      }
      if (isFull(limits.queue, waiting, waiter)) throw tooMany()
      const leave = () => {
        if (!waiting.delete(waiter)) return
        reject(signal.reason)
        admitWaiting()
      }
      waiting.add(waiter)
      signal.addEventListener('abort', leave, { once: true })
      return promise.finally(() => signal.removeEventListener('abort', leave))
    },
    counts: () => ({ taken: taken(), waiting: waiting.size }),
  }
}

/** Whether the queue has no room for one more, of this client or at all. */
function isFull(queue: number, waiting: ReadonlySet<Waiter>, waiter: Waiter): boolean {
  const others = [...waiting]
  const own = others.filter(({ client }) => client === waiter.client)
  const anonymous = others.filter(({ isAnonymous }) => isAnonymous)
  return (
    others.length >= queue ||
    own.length >= Math.ceil(queue / queueShare) ||
    (waiter.isAnonymous && anonymous.length >= Math.ceil(queue / anonymousShare))
  )
}

function tooMany(): DomainError {
  const message = 'Too many requests are waiting for their turn. Try again later.'
  return new DomainError('too_many_requests', { message, retryAfter: retryAfterSeconds })
}

/** Slots that an application has once, created on their first use. */
export function slotsPerApp(limitsOf: (app: App) => TransferLimits): (app: App) => TransferSlots {
  const created = new WeakMap<App, TransferSlots>()
  return (app) => {
    const slots = created.get(app) ?? createTransferSlots(limitsOf(app))
    created.set(app, slots)
    return slots
  }
}
