import type { Kysely } from 'kysely'
import type { Tools } from '../tools.ts'

/** What is due in one queue is found in its order, however much waits in the others. */
export async function indexQueues(db: Kysely<unknown>, t: Tools): Promise<void> {
  await db.schema.dropIndex('jobs_queue_state_index').execute()
  await t.index('jobs', 'queue', 'state', 'runAt', 'id')
}
