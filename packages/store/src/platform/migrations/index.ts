import type { Kysely } from 'kysely'
import * as initial from './0001-initial.ts'

/** Migrates a database of either dialect by one step. */
type Migration = (db: Kysely<unknown>, dialect: 'sqlite' | 'postgres') => Promise<void>

/**
 * Every migration by name, in order. From the first release on, a released one is never changed;
 * none imports application code, so that an old database is always migrated by the same steps.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': initial.up,
}
