import type { Kysely } from 'kysely'
import * as foundation from './0001-foundation.ts'

/** Brings a database of either dialect one step forward. */
type Migration = (db: Kysely<unknown>, dialect: 'sqlite' | 'postgres') => Promise<void>

/**
 * Every migration by its name, in order. A released one is never changed, and none imports anything
 * of the program, so that an old database is brought forward by the same steps for ever.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-foundation': foundation.up,
}
