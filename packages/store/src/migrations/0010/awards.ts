import type { Tools } from '../tools.ts'

export async function createAwards(t: Tools): Promise<void> {
  await t.table('awards', {
    id: t.id(),
    targetType: t.text(),
    targetId: t.long(),
    projectId: t.ownerOrNull('projects'),
    userId: t.owner('users'),
    name: t.text(),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  await t.unique('awards', 'targetType', 'targetId', 'userId', 'name')
  await t.index('awards', 'targetType', 'targetId', 'id')
  await t.index('awards', 'userId', 'targetType', 'name', 'targetId')
  await t.index('awards', 'projectId')
}
