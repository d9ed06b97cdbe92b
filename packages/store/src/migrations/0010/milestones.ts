import type { Tools } from '../tools.ts'

export async function createMilestones(t: Tools): Promise<void> {
  await t.table('milestones', {
    id: t.id(),
    projectId: t.ownerOrNull('projects'),
    groupId: t.ownerOrNull('namespaces'),
    iid: t.long(),
    title: t.text(),
    description: t.textOrNull(),
    state: t.text('active'),
    startDate: t.textOrNull(),
    dueDate: t.textOrNull(),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  for (const owner of ['projectId', 'groupId']) {
    await t.unique('milestones', owner, 'iid')
    await t.unique('milestones', owner, 'title')
    await t.index('milestones', owner, 'state', 'iid')
  }
  await t.index('milestones', 'title')
}
