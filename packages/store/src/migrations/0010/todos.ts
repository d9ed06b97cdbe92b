import type { Tools } from '../tools.ts'

export async function createTodos(t: Tools): Promise<void> {
  await t.table('todos', {
    id: t.id(),
    userId: t.owner('users'),
    authorId: t.owner('users'),
    projectId: t.ownerOrNull('projects'),
    groupId: t.ownerOrNull('namespaces'),
    targetType: t.text(),
    targetId: t.longOrNull(),
    commitId: t.textOrNull(),
    noteId: t.ownerOrNull('notes'),
    action: t.text(),
    state: t.text('pending'),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  await t.index('todos', 'userId', 'state', 'id')
  for (const column of ['action', 'authorId', 'projectId', 'targetType']) {
    await t.index('todos', 'userId', 'state', column, 'id')
  }
  // One pending todo for each target and user; where null stands in one, rows never meet.
  await t.uniqueWhere('todos', ['userId', 'targetType', 'targetId'], 'state', 'pending')
  await t.uniqueWhere('todos', ['userId', 'projectId', 'commitId'], 'state', 'pending')
  await t.index('todos', 'targetType', 'targetId')
  for (const column of ['authorId', 'projectId', 'groupId', 'noteId']) {
    await t.index('todos', column, 'id')
  }
  await createSubscriptions(t)
  await createMentions(t)
}

async function createSubscriptions(t: Tools): Promise<void> {
  const columns = {
    targetType: t.text(),
    targetId: t.long(),
    userId: t.owner('users'),
    subscribed: t.int(),
    createdAt: t.long(),
  }
  await t.table('subscriptions', columns, ['targetType', 'targetId', 'userId'])
  await t.index('subscriptions', 'userId')
}

async function createMentions(t: Tools): Promise<void> {
  const mentions = {
    targetType: t.text(),
    targetId: t.long(),
    noteId: t.long(0),
    userId: t.owner('users'),
  }
  await t.table('mentions', mentions, ['targetType', 'targetId', 'noteId', 'userId'])
  await t.index('mentions', 'userId', 'targetType', 'targetId')
  await t.index('mentions', 'noteId')
  await t.table('crossReferences', {
    id: t.id(),
    targetType: t.text(),
    targetId: t.long(),
    sourceType: t.text(),
    sourceKey: t.text(),
    sourceProjectId: t.ownerOrNull('projects'),
    createdAt: t.long(),
  })
  await t.unique(
    'crossReferences',
    'targetType',
    'targetId',
    'sourceType',
    'sourceKey',
    'sourceProjectId',
  )
  // These may be outside of projects, where null would let the same pair in twice.
  for (const type of ['epic', 'snippet']) {
    const pair = ['targetType', 'targetId', 'sourceKey']
    await t.uniqueWhere('crossReferences', pair, 'sourceType', type)
  }
  await t.index('crossReferences', 'sourceType', 'sourceKey')
  await t.index('crossReferences', 'sourceProjectId')
  await createRemarkSources(t)
}

async function createRemarkSources(t: Tools): Promise<void> {
  const columns = {
    noteId: t.owner('notes'),
    targetType: t.text(),
    targetId: t.long(),
    sourceType: t.text(),
    sourceKey: t.text(),
    sourceProjectId: t.longOrNull(),
  }
  await t.table('remarkSources', columns, ['noteId'])
  await t.index('remarkSources', 'targetType', 'targetId')
  await t.index('remarkSources', 'sourceType', 'sourceKey')
  await t.index('remarkSources', 'sourceProjectId')
}
