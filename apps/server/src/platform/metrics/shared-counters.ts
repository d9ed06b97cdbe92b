import { addToCounter, type Database } from '@stithy/store'
import type { Logger } from 'pino'

/** What servers and workers count together, by the names in the database. */
export const sharedCounters = [
  'webhooks.answered',
  'webhooks.failed',
  'mails.sent',
  'mails.failed',
] as const
export type SharedCounter = (typeof sharedCounters)[number]

/** Counters in the database, since jobs run in other processes than the one that shows them. */
export interface SharedCounters {
  /** Counts an event; it is written within seconds. */
  add: (name: SharedCounter) => void
  /** Writes what was counted. */
  flush: () => Promise<void>
}

/** Milliseconds in which counts are collected before they are written. */
const collectMs = 5000

export function createSharedCounters(db: Database, log: Logger): SharedCounters {
  let counts = new Map<SharedCounter, number>()
  let timer: NodeJS.Timeout | undefined
  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const counted = counts
    counts = new Map()
    try {
      for (const [name, count] of counted) await addToCounter(db.asyncCommit, name, count)
    } catch (error) {
      log.warn({ err: error }, 'counters cannot be written')
    }
  }
  return {
    add(name) {
      counts.set(name, (counts.get(name) ?? 0) + 1)
      timer ??= setTimeout(() => void flush(), collectMs).unref()
    },
    flush,
  }
}
