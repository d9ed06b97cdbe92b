import type { Kysely } from 'kysely'
import * as foundation from './0001-foundation.ts'
import * as protectedRefs from './0002-protected-refs.ts'
import * as releases from './0003-releases.ts'
import * as deployKeys from './0004-deploy-keys.ts'
import * as notes from './0005-notes.ts'
import * as mergeRequests from './0006-merge-requests.ts'
import * as pipelines from './0007-pipelines.ts'
import * as webhooks from './0008-webhooks.ts'
import * as countedCommits from './0009-counted-commits.ts'
import * as planning from './0010-planning.ts'

/** Brings a database of either dialect one step forward. */
type Migration = (db: Kysely<unknown>, dialect: 'sqlite' | 'postgres') => Promise<void>

/**
 * Every migration by its name, in order. A released one is never changed, and none imports anything
 * of the program, so that an old database is brought forward by the same steps for ever.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-foundation': foundation.up,
  '0002-protected-refs': protectedRefs.up,
  '0003-releases': releases.up,
  '0004-deploy-keys': deployKeys.up,
  '0005-notes': notes.up,
  '0006-merge-requests': mergeRequests.up,
  '0007-pipelines': pipelines.up,
  '0008-webhooks': webhooks.up,
  '0009-counted-commits': countedCommits.up,
  '0010-planning': planning.up,
}
