import { type Kysely, sql } from 'kysely'
import type { Tools } from '../tools.ts'

/** By what they are about events are found when it goes. */
export async function indexEventTargets(db: Kysely<unknown>, t: Tools): Promise<void> {
  await t.index('events', 'targetType', 'targetId')
  await db.schema
    .createIndex('events_noteableType_noteableId_index')
    .on('events')
    .columns(['noteableType', 'noteableId'])
    .where(sql.ref('noteableId'), 'is not', null)
    .execute()
}
