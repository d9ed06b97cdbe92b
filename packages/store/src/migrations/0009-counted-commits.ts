import type { Kysely } from 'kysely'
import { createTools } from './tools.ts'

/** The commit from which `commitCount` was counted, so that the next count walks what is new. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const { type } = createTools(db, dialect).textOrNull()
  await db.schema.alterTable('projectStatistics').addColumn('countedTip', type).execute()
}
