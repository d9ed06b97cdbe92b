import type { CompiledQuery, Kysely, OperationNode } from 'kysely'
import type { CountMemory } from './count-memory.ts'
import type { Schema } from './schema/schema.ts'

export type DialectName = 'sqlite' | 'postgres'

/**
 * Values of a query, by name: `$('id')` inside a builder stands for `args.id`. It is a marker and
 * no value: it may be handed to Kysely (also in lists, `sql` templates, `limit`), never computed
 * with or tested.
 */
export type Param<A> = <K extends keyof A & string>(name: K) => A[K]

/** Whatever Kysely can compile: a query, or a `sql` template. */
export interface Buildable<R> {
  compile(db: Kysely<Schema>): CompiledQuery<R>
  toOperationNode(): OperationNode
}

/** Builds the query of one shape; runs on the first use of the shape only. */
export type Build<A, R> = (db: Kysely<Schema>, $: Param<A>) => Buildable<R>

/**
 * Runs typed queries. `shape` names the query text: the same shape must always build the same SQL,
 * so everything that varies in the text goes into its name (`project.list|member|name-asc`) and
 * everything else into `args`. Arrays in `args` are for `inList`; booleans are written as 0 and 1.
 */
export interface Queries {
  readonly dialect: DialectName
  /**
   * Remembered counts; absent inside a transaction, where they could come from a rolled back state.
   */
  readonly counts?: CountMemory | undefined
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

/**
 * A unit of work. A failed statement ends it, also when its error is caught: further statements
 * throw `StoreError` `aborted`, and nothing is committed.
 */
export interface Transaction extends Queries {
  /** Runs after the commit, in order; an error in it is logged, not thrown. */
  onCommit(action: () => void): void
}

export interface Database extends Queries {
  /**
   * Commits what `work` did, or rolls back when it throws. `work` must use the handle that it gets,
   * await nothing but it, and bear being run again: PostgreSQL may ask for that after a deadlock.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Statements run so far, `begin` and `commit` not counted. */
  readonly stats: { queries: number }
  /** Brings the schema up to date; answers the names of the migrations that it applied. */
  migrate(): Promise<string[]>
  /** Rejects when the database does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The part of a logger that the store needs (pino's order of arguments). */
export interface StoreLogger {
  error(details: object, message: string): void
}
