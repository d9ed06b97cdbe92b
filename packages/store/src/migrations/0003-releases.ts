import type { Kysely } from 'kysely'
import { createTools } from './tools.ts'

/** Releases of tags, and their links. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const t = createTools(db, dialect)
  await t.table('releases', {
    id: t.id(),
    projectId: t.owner('projects'),
    tag: t.text(),
    name: t.text(),
    description: t.textOrNull(),
    authorId: t.mentionOrNull('users'),
    createdAt: t.long(),
    updatedAt: t.long(),
    releasedAt: t.long(),
  })
  await t.unique('releases', 'projectId', 'tag')
  await t.index('releases', 'projectId', 'createdAt', 'id')
  await t.index('releases', 'authorId')
  await t.table('releaseLinks', {
    id: t.id(),
    releaseId: t.owner('releases'),
    name: t.text(),
    url: t.text(),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  await t.unique('releaseLinks', 'releaseId', 'name')
  await t.unique('releaseLinks', 'releaseId', 'url')
  await t.index('releaseLinks', 'releaseId', 'id')
}
