import { type Tools, workItemCounts } from '../tools.ts'
import { createEarlyIndex } from './work-item-indexes.ts'

/** Milestones, labels, epics, boards. */
export async function createPlanning(t: Tools): Promise<void> {
  await createMilestones(t)
  await createLabels(t)
  await createLabelLinks(t)
  await createLabelEvents(t)
  await createEpics(t)
  await createBoards(t)
}

async function createMilestones(t: Tools): Promise<void> {
  await t.table('milestones', {
    id: t.id(),
    projectId: t.parentOrNull('projects'),
    groupId: t.parentOrNull('namespaces'),
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

async function createLabels(t: Tools): Promise<void> {
  await t.table('labels', {
    id: t.id(),
    projectId: t.parentOrNull('projects'),
    groupId: t.parentOrNull('namespaces'),
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
    projectId: t.parent('projects'),
    labelId: t.parent('labels'),
    priority: t.int(),
  }
  await t.table('labelPriorities', priorities, ['projectId', 'labelId'])
  await t.index('labelPriorities', 'labelId')
}

async function createLabelLinks(t: Tools): Promise<void> {
  const columns = {
    targetType: t.text(),
    targetId: t.long(),
    labelId: t.parent('labels'),
    projectId: t.parentOrNull('projects'),
    createdAt: t.long(),
  }
  await t.table('labelLinks', columns, ['targetType', 'targetId', 'labelId'])
  await t.index('labelLinks', 'labelId', 'targetType', 'createdAt', 'targetId')
  await t.index('labelLinks', 'projectId', 'labelId', 'targetType', 'createdAt', 'targetId')
}

async function createLabelEvents(t: Tools): Promise<void> {
  await t.table('labelEvents', {
    id: t.id(),
    targetType: t.text(),
    targetId: t.long(),
    projectId: t.parentOrNull('projects'),
    labelId: t.referenceOrNull('labels'),
    userId: t.parent('users'),
    action: t.text(),
    createdAt: t.long(),
  })
  await t.index('labelEvents', 'targetType', 'targetId', 'id')
  for (const column of ['labelId', 'projectId', 'userId']) await t.index('labelEvents', column)
}

async function createEpics(t: Tools): Promise<void> {
  await t.table('epics', {
    id: t.id(),
    groupId: t.parent('namespaces'),
    iid: t.long(),
    authorId: t.parent('users'),
    title: t.text(),
    description: t.textOrNull(),
    state: t.text('opened'),
    closedById: t.referenceOrNull('users'),
    closedAt: t.longOrNull(),
    parentId: t.referenceOrNull('epics'),
    relativePosition: t.longOrNull(),
    startDateIsFixed: t.int(0),
    startDateFixed: t.textOrNull(),
    startDateFromMilestones: t.textOrNull(),
    dueDateIsFixed: t.int(0),
    dueDateFixed: t.textOrNull(),
    dueDateFromMilestones: t.textOrNull(),
    ...workItemCounts(t),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  await t.unique('epics', 'groupId', 'iid')
  await t.index('epics', 'parentId', 'relativePosition', 'id')
  await t.index('epics', 'createdAt', 'id')
  await t.index('epics', 'updatedAt', 'id')
  await t.index('epics', 'groupId', 'createdAt', 'id')
  await t.index('epics', 'groupId', 'state', 'createdAt', 'id')
  await t.index('epics', 'groupId', 'updatedAt', 'id')
  await t.index('epics', 'authorId', 'createdAt', 'id')
  await t.index('epics', 'closedById')
  await createEarlyIndex(t, { name: 'epics' })
}

async function createBoards(t: Tools): Promise<void> {
  await t.table('boards', {
    id: t.id(),
    projectId: t.parentOrNull('projects'),
    groupId: t.parentOrNull('namespaces'),
    name: t.text(),
    milestoneId: t.referenceOrNull('milestones'),
    assigneeId: t.referenceOrNull('users'),
    weight: t.intOrNull(),
    starter: t.intOrNull(),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  for (const owner of ['projectId', 'groupId']) await t.unique('boards', owner, 'starter')
  for (const column of ['projectId', 'groupId', 'milestoneId', 'assigneeId']) {
    await t.index('boards', column, 'id')
  }
  const labels = { boardId: t.parent('boards'), labelId: t.parent('labels') }
  await t.table('boardLabels', labels, ['boardId', 'labelId'])
  await t.index('boardLabels', 'labelId')
  await t.table('boardLists', {
    id: t.id(),
    boardId: t.parent('boards'),
    labelId: t.parentOrNull('labels'),
    assigneeId: t.parentOrNull('users'),
    milestoneId: t.parentOrNull('milestones'),
    position: t.int(),
    createdAt: t.long(),
  })
  await t.index('boardLists', 'boardId', 'position')
  for (const column of ['labelId', 'assigneeId', 'milestoneId']) {
    await t.index('boardLists', column)
  }
}
