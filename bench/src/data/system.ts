import { inserter, type World } from './world.ts'

/** Rows that a database in use also has: stamps, counters and settings. */
export function fillSystem({ db }: World): void {
  const insertStamp = inserter(db, 'stamps')
  for (const name of ['projects', 'groups', 'users', 'members', 'events', 'issues']) {
    insertStamp({ name, shard: 0, version: 1 })
  }
}
