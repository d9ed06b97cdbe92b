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
   * Waits for as many slots as `weight` says, one by default, in order of arrival among the clients
   * that may have them; returns the function that releases them. A waiting client that disconnects
   * (`signal`) leaves the queue.
   * @throws DomainError `too_many_requests` if the queue is full, for this client or for all
   */
  take: (client: string, signal: AbortSignal, weight?: number) => Promise<() => void>
  /** How many are taken, and how many clients wait. */
  counts: () => { taken: number; waiting: number }
}

interface Waiter {
  client: string
  weight: number
  admit: (release: () => void) => void
}

/** No client may fill more of the queue, so that others still find room. */
const queueShare = 4
const retryAfterSeconds = 10

export function createTransferSlots({ total, perClient, queue }: TransferLimits): TransferSlots {
  const running = new Map<string, number>()
  const waiting = new Set<Waiter>()
  let taken = 0
  const hasShare = ({ client, weight }: Waiter) => (running.get(client) ?? 0) + weight <= perClient
  const occupy = ({ client, weight }: Waiter): (() => void) => {
    taken += weight
    running.set(client, (running.get(client) ?? 0) + weight)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      taken -= weight
      const left = (running.get(client) ?? weight) - weight
      if (left > 0) running.set(client, left)
      else running.delete(client)
      admitWaiting()
    }
  }
  // A heavy transfer waits at the head of the queue, rather than being overtaken for ever.
  const nextWaiter = () => [...waiting].find(hasShare)
  const admitWaiting = () => {
    for (let next = nextWaiter(); next !== undefined; next = nextWaiter()) {
      if (taken + next.weight > total) return
      waiting.delete(next)
      next.admit(occupy(next))
    }
  }
  return {
    async take(client, signal, weight = 1) {
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      const waiter: Waiter = { client, weight, admit: resolve }
      if (hasShare(waiter) && taken + weight <= total && nextWaiter() === undefined) {
        return occupy(waiter)
      }
      const own = [...waiting].filter((waiter) => waiter.client === client)
      const isFull = waiting.size >= queue || own.length >= Math.ceil(queue / queueShare)
      if (isFull) throw tooMany()
      const leave = () => {
        if (!waiting.delete(waiter)) return
        reject(signal.reason)
        admitWaiting()
      }
      waiting.add(waiter)
      signal.addEventListener('abort', leave, { once: true })
      return promise.finally(() => signal.removeEventListener('abort', leave))
    },
    counts: () => ({ taken, waiting: waiting.size }),
  }
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
