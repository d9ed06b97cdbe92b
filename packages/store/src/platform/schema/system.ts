import type { Generated } from 'kysely'

/** Background jobs. */
export interface JobsTable {
  id: Generated<number>
  queue: string
  kind: string
  /** JSON. */
  payload: string
  state: Generated<'queued' | 'running' | 'done' | 'dead'>
  attempts: Generated<number>
  maxAttempts: number
  runAt: number
  leaseUntil: number | null
  leaseOwner: string | null
  lastError: string | null
  createdAt: number
  finishedAt: number | null
  /** The request that caused it, by its `X-Request-Id`. */
  requestId: string | null
}

/** Processes that run jobs. */
export interface WorkersTable {
  /** The owner of its leases. */
  id: string
  hostname: string
  pid: number
  tag: string
  /** JSON: names. */
  queues: string
  /** JSON: texts. */
  labels: string
  concurrency: number
  busy: number
  startedAt: number
  /** When it was last heard of. */
  seenAt: number
}

/** The backlog of all queues together, a row a minute. */
export interface JobSamplesTable {
  /** Minutes since the epoch. */
  minute: number
  /** Due jobs. */
  backlog: number
  /** Milliseconds since the first of them became due. */
  latency: number
}

/** Counters that outlive the rows they were counted from. */
export interface CountersTable {
  name: string
  value: number
}

/** Instance settings, one row each. */
export interface SettingsTable {
  key: string
  /** JSON; a text that is encrypted if the setting is a secret. */
  value: string
  updatedAt: number
}

/**
 * A version per kind of resource, raised by every change that may alter the length of a list of it.
 */
export interface StampsTable {
  name: string
  shard: number
  version: number
}

export interface CustomAttributesTable {
  id: Generated<number>
  ownerKind: 'user' | 'group' | 'project'
  ownerId: number
  key: string
  value: string
}

export interface SchemaMigrationsTable {
  name: string
  appliedAt: number
}
