import type { Tools } from '../tools.ts'

export async function createBoards(t: Tools): Promise<void> {
  await t.table('boards', {
    id: t.id(),
    projectId: t.ownerOrNull('projects'),
    groupId: t.ownerOrNull('namespaces'),
    name: t.text(),
    milestoneId: t.mentionOrNull('milestones'),
    assigneeId: t.mentionOrNull('users'),
    weight: t.intOrNull(),
    starter: t.intOrNull(),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  for (const owner of ['projectId', 'groupId']) await t.unique('boards', owner, 'starter')
  for (const column of ['projectId', 'groupId', 'milestoneId', 'assigneeId']) {
    await t.index('boards', column, 'id')
  }
  const labels = { boardId: t.owner('boards'), labelId: t.owner('labels') }
  await t.table('boardLabels', labels, ['boardId', 'labelId'])
  await t.index('boardLabels', 'labelId')
  await t.table('boardLists', {
    id: t.id(),
    boardId: t.owner('boards'),
    labelId: t.ownerOrNull('labels'),
    assigneeId: t.ownerOrNull('users'),
    milestoneId: t.ownerOrNull('milestones'),
    position: t.int(),
    createdAt: t.long(),
  })
  await t.index('boardLists', 'boardId', 'position')
  for (const column of ['labelId', 'assigneeId', 'milestoneId']) {
    await t.index('boardLists', column)
  }
}
