import { type Kysely, sql } from 'kysely'
import { type Columns, createTools, type Tools } from './tools.ts'

/** Notes on commits and everything else, and what events have to know of them. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const tools = createTools(db, dialect)
  await createNotes(tools)
  // Only the few that are resolved: what removes a user looks for them.
  await db.schema
    .createIndex('notes_resolvedById_index')
    .on('notes')
    .column('resolvedById')
    .where(sql.ref('resolvedById'), 'is not', null)
    .execute()
  const columns: Columns = { noteableType: tools.textOrNull(), noteableId: tools.longOrNull() }
  for (const [name, { type, refine }] of Object.entries(columns)) {
    await db.schema.alterTable('events').addColumn(name, type, refine).execute()
  }
}

async function createNotes(t: Tools): Promise<void> {
  await t.table('notes', {
    id: t.id(),
    projectId: t.ownerOrNull('projects'),
    noteableType: t.text(),
    noteableId: t.longOrNull(),
    commitId: t.textOrNull(),
    discussionId: t.text(),
    type: t.textOrNull(),
    authorId: t.owner('users'),
    body: t.text(),
    position: t.textOrNull(),
    lineCode: t.textOrNull(),
    system: t.int(0),
    resolvedAt: t.longOrNull(),
    resolvedById: t.mentionOrNull('users'),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  // The last column lets the threads of a thing be counted and found in the index alone.
  await t.index('notes', 'projectId', 'commitId', 'createdAt', 'id', 'discussionId')
  await t.index('notes', 'noteableType', 'noteableId', 'createdAt', 'id', 'discussionId')
  await t.index('notes', 'noteableType', 'noteableId', 'updatedAt', 'id')
  await t.index('notes', 'discussionId', 'createdAt', 'id')
  await t.index('notes', 'authorId', 'id')
}
