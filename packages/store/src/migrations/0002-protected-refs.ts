import type { Kysely } from 'kysely'
import { createTools } from './tools.ts'

/** Protected branches and tags, and who may do what to them. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const t = createTools(db, dialect)
  await t.table('protectedRefs', {
    id: t.id(),
    projectId: t.owner('projects'),
    kind: t.text(),
    name: t.text(),
    createdAt: t.long(),
  })
  await t.unique('protectedRefs', 'projectId', 'kind', 'name')
  await t.table('protectedRefLevels', {
    id: t.id(),
    protectedRefId: t.owner('protectedRefs'),
    action: t.text(),
    accessLevel: t.intOrNull(),
    userId: t.ownerOrNull('users'),
    groupId: t.ownerOrNull('namespaces'),
  })
  await t.index('protectedRefLevels', 'protectedRefId', 'id')
  await t.index('protectedRefLevels', 'userId')
  await t.index('protectedRefLevels', 'groupId')
}
