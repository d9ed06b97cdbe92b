import { type Config, ConfigError } from '../config/config.ts'

/** Queues that workers serve; their names appear in administrators' statistics. */
const queues = ['default', 'maintenance', 'merge-requests', 'projects', 'pushes', 'users'] as const
/**
 * Queue of jobs that take minutes: one at a time, when no other job needs the slot, so the others
 * keep free slots.
 */
export const slowQueue = 'housekeeping'
/**
 * Queue of jobs that wait for other servers; it has separate slots, so it blocks no other queue.
 */
export const outboundQueue = 'webhooks'
/** Queue of jobs that wait for servers which were slow or failed, so that others need not wait. */
export const slowOutboundQueue = 'webhook-retries'
/** Queue of transfers from other servers, which take minutes; it has separate slots too. */
export const importQueue = 'imports'
/** Queue of mails, whose server may hang; it has separate slots too. */
export const mailQueue = 'mail'
/**
 * Queue of jobs that index code; it has slots of its own, so that the index, which may take hours to
 * be made, delays no other job: two, so that one repository is read while another is written.
 */
export const searchQueue = 'search'
/** How many jobs of these queues run at the same time, beside those of all others. */
export const separateSlots = {
  [outboundQueue]: 8,
  [slowOutboundQueue]: 4,
  [importQueue]: 4,
  [mailQueue]: 4,
  [searchQueue]: 2,
} as const
/** How many jobs of a worker may have left their slots, since the servers they wait for take long. */
export const maxWaiting = 64
export type SeparateQueue = keyof typeof separateSlots
export const separateQueues: readonly SeparateQueue[] = [
  outboundQueue,
  slowOutboundQueue,
  importQueue,
  mailQueue,
  searchQueue,
]
export const allQueues: readonly string[] = [...queues, slowQueue, ...separateQueues]

/** Whether a queue shares the slots of a worker with others. */
export function sharesSlots(queue: string): boolean {
  return queue !== slowQueue && !separateQueues.some((name) => name === queue)
}

/**
 * The queues that a worker is configured to serve, by default all.
 * @throws ConfigError
 */
export function servedQueues({ workerQueues }: Pick<Config, 'workerQueues'>): readonly string[] {
  const unknown = workerQueues.find((name) => !allQueues.includes(name))
  if (unknown !== undefined) {
    const known = allQueues.join(', ')
    throw new ConfigError(`worker_queues has an unknown queue: ${unknown}. There are ${known}.`)
  }
  return workerQueues.length === 0 ? allQueues : workerQueues
}
