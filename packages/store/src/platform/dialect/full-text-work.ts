import type Sqlite from 'better-sqlite3'
import { StoreError } from '../errors.ts'
import type { StoreLogger } from '../queries/queries.ts'
import type { FullTextThread } from './full-text-thread.ts'

/** Work that the thread does step by step, so that writers have their turn in between. */
export interface FullTextWork {
  /** Call after a transaction. */
  look(): void
  close(): Promise<void>
}

export interface FullTextParts {
  writer: Sqlite.Database
  /** None beside a database in memory. */
  thread: FullTextThread | undefined
  logger: StoreLogger
}

/** What failed is tried again after the next transactions. @returns whether it failed */
export async function reportFailure(
  logger: StoreLogger,
  message: string,
  action: () => Promise<void>,
): Promise<boolean> {
  try {
    await action()
    return false
  } catch (error) {
    // Another process writes for seconds.
    if (!(error instanceof StoreError && error.code === 'busy'))
      logger.error({ err: error }, message)
    return true
  }
}
