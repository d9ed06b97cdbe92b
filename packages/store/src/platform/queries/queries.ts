import type { CompiledQuery, Kysely, OperationNode } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import type { CountCache } from './count-cache.ts'

export type DialectName = 'sqlite' | 'postgres'

/**
 * The arguments of a query, by name: `$('id')` inside a builder represents `args.id`. It is a
 * marker, not a value: pass it to Kysely (also in lists, `sql` templates, `limit`), but never
 * compute with it or test it.
 */
export type Param<A> = <K extends keyof A & string>(name: K) => A[K]

/** Anything Kysely can compile: a query, or a `sql` template. */
export interface Buildable<R> {
  compile(db: Kysely<Schema>): CompiledQuery<R>
  toOperationNode(): OperationNode
}

/** Builds the query of one shape; runs only on the first use of the shape. */
export type Build<A, R> = (db: Kysely<Schema>, $: Param<A>) => Buildable<R>

/**
 * Runs typed queries. `shape` names the query text: the same shape must always build the same SQL,
 * so everything that varies in the text is part of its name (`project.list|member|name-asc`) and
 * everything else is in `args`. Arrays in `args` are for `inList`; booleans are written as 0 and 1.
 */
export interface Queries {
  readonly dialect: DialectName
  /** Cached counts; absent inside a transaction, where they could come from a rolled back state. */
  readonly counts?: CountCache | undefined
  /**
   * The same queries for selects that may take more than a few milliseconds: they hold up nothing
   * else, but cost a tenth of a millisecond more. Absent inside a transaction; see `inBackground`.
   */
  readonly background?: Queries | undefined
  /** All rows. */
  all<A extends object, R>(shape: string, args: A, build: Build<A, R>): Promise<R[]>
  /** The first row, or undefined. */
  first<A extends object, R>(shape: string, args: A, build: Build<A, R>): Promise<R | undefined>
  /** An insert, update or delete without `returning`; `changes` counts the rows it touched. */
  run<A extends object>(
    shape: string,
    args: A,
    build: Build<A, unknown>,
  ): Promise<{ changes: number }>
}

/** The queries for selects that may take long; inside a transaction, its own. */
export function inBackground(q: Queries): Queries {
  return q.background ?? q
}

/**
 * A transaction. A failed statement aborts it, even if its error is caught: further statements
 * throw `StoreError` `aborted`, and nothing is committed.
 */
export interface Transaction extends Queries {
  /**
   * Runs directly before the commit, in the order of the keys, once per key: for rows that many
   * transactions write, which would otherwise be locked for longer than necessary, and in any
   * order.
   */
  beforeCommit(key: string, action: () => Promise<void>): void
  /** Wakes the job workers of this process after the commit. */
  wakeWorkers(): void
  /**
   * Tells the listener of this process after the commit that something has changed, once per name,
   * as `issue:12`.
   */
  notify(channel: string): void
  /** Runs after the commit, in order; an error is logged, not thrown. */
  onCommit(action: () => void): void
}

/**
 * When a write resolves: once it is on `disk`, so that it survives a power failure, or once the
 * operating system has it, so that it survives the end of the `process`.
 */
export type Durability = 'disk' | 'process'

/** The tables of the search index, whose names start with `search`. */
export interface SearchIndex {
  /** Selects over them and all others. */
  readonly reads: Queries
  /**
   * Commits what `work` writes to them, or rolls back if it throws. On SQLite they are in a file of
   * their own, which a thread writes, so that long transactions hold up nothing else; other tables
   * can't be read there. What is committed until the end of the process alone, which is cheaper,
   * is on disk with the next commit to disk, the default.
   */
  transaction<T>(work: (tx: Queries) => Promise<T>, durability?: Durability): Promise<T>
  /** Whether opening the database created that file: the index may lack everything. */
  readonly isNew: boolean
}

/** How many connections there are. */
export interface ConnectionCounts {
  /** Idle ones included. */
  open: number
  idle: number
  /** Statements and transactions that wait for a connection. */
  waiting: number
}

export interface Database extends Queries {
  /**
   * Writes that don't wait until they are on disk, for what may be lost or is repeated after a
   * power failure: leases of jobs, times of last use.
   */
  readonly asyncCommit: Queries
  readonly searchIndex: SearchIndex
  /**
   * Commits the changes of `work`, or rolls back if it throws. `work` must use only the handle that
   * it gets, await nothing else, and be safe to repeat: PostgreSQL may require that after a
   * deadlock.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Sets the listener that `wakeWorkers` of a transaction calls. */
  onJobs(listener: () => void): void
  /** Sets the listener of what `notify` of a transaction names. */
  onNotification(listener: (channel: string) => void): void
  /** Connections to a PostgreSQL server; absent on SQLite. */
  connections?: () => ConnectionCounts
  /** Statements run so far, except `begin` and `commit`. */
  readonly stats: { queries: number }
  /** Migrates the schema; returns the names of the applied migrations. */
  migrate(): Promise<string[]>
  /** Rejects if the database does not respond. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The part of a logger that the store needs (pino's order of arguments). */
export interface StoreLogger {
  error(details: object, message: string): void
  warn(details: object, message: string): void
}
