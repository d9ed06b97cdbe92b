import type { App } from '../../../platform/app.ts'

/** Jobs that may deliver to one host at the same time, of the eight that the queue has. */
const maxPerHost = 4
/** How long a host that was slow is delivered to in the other queue. */
const slowMs = 60_000
/** Hosts that are remembered as slow. */
const maxSlow = 10_000

/** Deliveries that run in this process, by host. */
interface HostSlots {
  running: Map<string, number>
  slowUntil: Map<string, number>
}

const slotsOf = new WeakMap<App, HostSlots>()

function hostSlots(app: App): HostSlots {
  const known = slotsOf.get(app)
  if (known !== undefined) return known
  const slots: HostSlots = { running: new Map(), slowUntil: new Map() }
  slotsOf.set(app, slots)
  return slots
}

/**
 * Whether deliveries to a host would keep others waiting: it did not respond in time lately, or
 * has its share of the slots.
 */
export function isCongested(app: App, host: string): boolean {
  const { running, slowUntil } = hostSlots(app)
  if ((running.get(host) ?? 0) >= maxPerHost) return true
  return (slowUntil.get(host) ?? 0) > app.now()
}

/** Counts a job that delivers to a host; the returned function ends it. */
export function occupyHost(app: App, host: string): () => void {
  const { running } = hostSlots(app)
  running.set(host, (running.get(host) ?? 0) + 1)
  return () => {
    const left = (running.get(host) ?? 1) - 1
    if (left > 0) running.set(host, left)
    else running.delete(host)
  }
}

/** Remembers for a minute that a host was slow. */
export function markSlow(app: App, host: string): void {
  const { slowUntil } = hostSlots(app)
  slowUntil.delete(host)
  const [oldest] = slowUntil.keys()
  if (slowUntil.size >= maxSlow && oldest !== undefined) slowUntil.delete(oldest)
  slowUntil.set(host, app.now() + slowMs)
}
