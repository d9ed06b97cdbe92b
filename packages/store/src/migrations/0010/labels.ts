import type { Tools } from '../tools.ts'

export async function createLabels(t: Tools): Promise<void> {
  await t.table('labels', {
    id: t.id(),
    projectId: t.ownerOrNull('projects'),
    groupId: t.ownerOrNull('namespaces'),
    title: t.text(),
    color: t.text(),
    description: t.textOrNull(),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  await t.unique('labels', 'projectId', 'title')
  await t.unique('labels', 'groupId', 'title')
  await t.index('labels', 'title')
  const priorities = {
    projectId: t.owner('projects'),
    labelId: t.owner('labels'),
    priority: t.int(),
  }
  await t.table('labelPriorities', priorities, ['projectId', 'labelId'])
  await t.index('labelPriorities', 'labelId')
  await createLinks(t)
  await createEvents(t)
}

async function createLinks(t: Tools): Promise<void> {
  const columns = {
    targetType: t.text(),
    targetId: t.long(),
    labelId: t.owner('labels'),
    projectId: t.ownerOrNull('projects'),
    createdAt: t.long(),
  }
  await t.table('labelLinks', columns, ['targetType', 'targetId', 'labelId'])
  await t.index('labelLinks', 'labelId', 'targetType', 'createdAt', 'targetId')
  await t.index('labelLinks', 'projectId', 'labelId', 'targetType', 'createdAt', 'targetId')
}

async function createEvents(t: Tools): Promise<void> {
  await t.table('labelEvents', {
    id: t.id(),
    targetType: t.text(),
    targetId: t.long(),
    projectId: t.ownerOrNull('projects'),
    labelId: t.mentionOrNull('labels'),
    userId: t.owner('users'),
    action: t.text(),
    createdAt: t.long(),
  })
  await t.index('labelEvents', 'targetType', 'targetId', 'id')
  for (const column of ['labelId', 'projectId', 'userId']) await t.index('labelEvents', column)
}
