import { inserter, type World } from './world.ts'

/** What a database that was written to through the service would hold beside its things. */
export function fillSystem({ db }: World): void {
  const insertStamp = inserter(db, 'stamps')
  for (const name of ['projects', 'groups', 'users', 'members', 'events', 'issues']) {
    insertStamp({ name, version: 1 })
  }
}
