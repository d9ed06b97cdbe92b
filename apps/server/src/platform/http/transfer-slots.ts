import { DomainError } from '@stithy/core'

export interface TransferLimits {
  /** Transfers at once. */
  total: number
  /** Transfers at once of one client. */
  perClient: number
  /** Transfers that may wait. */
  queue: number
}

/** The slots of fetches and pushes, or of archives: each holds processes, memory and a connection. */
export interface TransferSlots {
  /**
   * Waits for a slot, in order of arrival among the clients that may have another one; returns the
   * function that releases it. A waiting client that disconnects (`signal`) leaves the queue.
   * @throws DomainError `too_many_requests` if the queue is full, for this client or for all
   */
  take: (client: string, signal: AbortSignal) => Promise<() => void>
}

interface Waiter {
  client: string
  admit: (release: () => void) => void
}

/** No client may fill more of the queue, so that others still find room. */
const queueShare = 4
const retryAfterSeconds = 10

export function createTransferSlots({ total, perClient, queue }: TransferLimits): TransferSlots {
  const running = new Map<string, number>()
  const waiting = new Set<Waiter>()
  let taken = 0
  const isFree = (client: string) => taken < total && (running.get(client) ?? 0) < perClient
  const occupy = (client: string): (() => void) => {
    taken += 1
    running.set(client, (running.get(client) ?? 0) + 1)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      taken -= 1
      const left = (running.get(client) ?? 1) - 1
      if (left > 0) running.set(client, left)
      else running.delete(client)
      admitNext()
    }
  }
  const admitNext = () => {
    const next = [...waiting].find(({ client }) => isFree(client))
    if (next === undefined) return
    waiting.delete(next)
    next.admit(occupy(next.client))
  }
  return {
    async take(client, signal) {
      if (isFree(client)) return occupy(client)
      const own = [...waiting].filter((waiter) => waiter.client === client)
      const isFull = waiting.size >= queue || own.length >= Math.ceil(queue / queueShare)
      if (isFull) throw tooMany()
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      const waiter: Waiter = { client, admit: resolve }
      const leave = () => {
        if (waiting.delete(waiter)) reject(signal.reason)
      }
      waiting.add(waiter)
      signal.addEventListener('abort', leave, { once: true })
      return promise.finally(() => signal.removeEventListener('abort', leave))
    },
  }
}

function tooMany(): DomainError {
  const message = 'Too many transfers are waiting for their turn. Try again later.'
  return new DomainError('too_many_requests', { message, retryAfter: retryAfterSeconds })
}
