import type { Tools } from '../tools.ts'

/** Notes, awards, todos, mentions, subscriptions, snippets. */
export async function createDiscussions(t: Tools): Promise<void> {
  await createNotes(t)
  await createSuggestions(t)
  await createAwards(t)
  await createTodos(t)
  await createSubscriptions(t)
  await createMentions(t)
  await createCrossReferences(t)
  await createSnippets(t)
  await createNotificationSettings(t)
}

async function createNotes(t: Tools): Promise<void> {
  await t.table('notes', {
    id: t.id(),
    projectId: t.parentOrNull('projects'),
    noteableType: t.text(),
    noteableId: t.longOrNull(),
    commitId: t.textOrNull(),
    discussionId: t.text(),
    type: t.textOrNull(),
    authorId: t.parent('users'),
    body: t.text(),
    position: t.textOrNull(),
    lineCode: t.textOrNull(),
    system: t.int(0),
    action: t.textOrNull(),
    params: t.textOrNull(),
    sourceType: t.textOrNull(),
    sourceKey: t.textOrNull(),
    sourceProjectId: t.longOrNull(),
    resolvedAt: t.longOrNull(),
    resolvedById: t.referenceOrNull('users'),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  // With the last column, the discussions of one noteable are counted and found in the index alone.
  await t.index('notes', 'projectId', 'commitId', 'createdAt', 'id', 'discussionId')
  await t.index('notes', 'noteableType', 'noteableId', 'createdAt', 'id', 'discussionId')
  await t.index('notes', 'noteableType', 'noteableId', 'updatedAt', 'id')
  // Lists of issues look up whether the caller commented on each, however many comments there are.
  await t.index('notes', 'noteableType', 'noteableId', 'authorId')
  await t.index('notes', 'discussionId', 'createdAt', 'id')
  await t.index('notes', 'authorId', 'id')
  // Only the notes on diffs, whose positions a new version of a merge request updates.
  await t.notNullIndex('notes', 'position', ['noteableType', 'noteableId', 'discussionId'])
  // Only the few resolved notes, which deleting a user looks up.
  await t.notNullIndex('notes', 'resolvedById')
  // Only the system notes that refer to something else.
  await t.notNullIndex('notes', 'sourceType', ['noteableType', 'noteableId', 'sourceType'])
  await t.notNullIndex('notes', 'sourceKey', ['sourceType', 'sourceKey'])
  await t.notNullIndex('notes', 'sourceProjectId')
}

async function createSuggestions(t: Tools): Promise<void> {
  await t.table('suggestions', {
    id: t.id(),
    noteId: t.parent('notes'),
    relativeOrder: t.int(),
    linesAbove: t.int(),
    linesBelow: t.int(),
    fromContent: t.text(),
    toContent: t.text(),
    outdated: t.int(0),
    commitId: t.textOrNull(),
  })
  await t.unique('suggestions', 'noteId', 'relativeOrder')
}

async function createAwards(t: Tools): Promise<void> {
  await t.table('awards', {
    id: t.id(),
    targetType: t.text(),
    targetId: t.long(),
    projectId: t.parentOrNull('projects'),
    userId: t.parent('users'),
    name: t.text(),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  await t.unique('awards', 'targetType', 'targetId', 'userId', 'name')
  await t.index('awards', 'targetType', 'targetId', 'id')
  await t.index('awards', 'userId', 'targetType', 'name', 'targetId')
  await t.index('awards', 'projectId')
}

async function createTodos(t: Tools): Promise<void> {
  await t.table('todos', {
    id: t.id(),
    userId: t.parent('users'),
    authorId: t.parent('users'),
    projectId: t.parentOrNull('projects'),
    groupId: t.parentOrNull('namespaces'),
    targetType: t.text(),
    targetId: t.longOrNull(),
    commitId: t.textOrNull(),
    noteId: t.parentOrNull('notes'),
    action: t.text(),
    state: t.text('pending'),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  await t.index('todos', 'userId', 'state', 'id')
  for (const column of ['action', 'authorId', 'projectId', 'targetType']) {
    await t.index('todos', 'userId', 'state', column, 'id')
  }
  // One pending todo for each target and user; rows with a null never conflict.
  await t.uniqueWhere('todos', ['userId', 'targetType', 'targetId'], 'state', 'pending')
  await t.uniqueWhere('todos', ['userId', 'projectId', 'commitId'], 'state', 'pending')
  await t.index('todos', 'targetType', 'targetId')
  for (const column of ['authorId', 'projectId']) await t.index('todos', column, 'id')
  for (const column of ['groupId', 'noteId']) await t.notNullIndex('todos', column, [column, 'id'])
}

async function createSubscriptions(t: Tools): Promise<void> {
  const columns = {
    targetType: t.text(),
    targetId: t.long(),
    userId: t.parent('users'),
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
    userId: t.parent('users'),
  }
  await t.table('mentions', mentions, ['targetType', 'targetId', 'noteId', 'userId'])
  await t.index('mentions', 'userId', 'targetType', 'targetId')
  await t.index('mentions', 'noteId')
}

async function createCrossReferences(t: Tools): Promise<void> {
  await t.table('crossReferences', {
    id: t.id(),
    targetType: t.text(),
    targetId: t.long(),
    sourceType: t.text(),
    sourceKey: t.text(),
    sourceProjectId: t.parentOrNull('projects'),
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
  // These may have no project, and null in the key above would allow duplicates.
  for (const type of ['epic', 'snippet']) {
    const pair = ['targetType', 'targetId', 'sourceKey']
    await t.uniqueWhere('crossReferences', pair, 'sourceType', type)
  }
  await t.index('crossReferences', 'sourceType', 'sourceKey')
  await t.index('crossReferences', 'sourceProjectId')
}

async function createSnippets(t: Tools): Promise<void> {
  await t.table('snippets', {
    id: t.id(),
    projectId: t.parentOrNull('projects'),
    authorId: t.parent('users'),
    title: t.text(),
    fileName: t.text(),
    description: t.textOrNull(),
    content: t.text(),
    visibility: t.text(),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  await t.index('snippets', 'projectId', 'id')
  await t.index('snippets', 'authorId', 'id')
  await t.index('snippets', 'visibility', 'id')
}

async function createNotificationSettings(t: Tools): Promise<void> {
  await t.table('notificationSettings', {
    id: t.id(),
    userId: t.parent('users'),
    scope: t.text(),
    scopeId: t.long(0),
    level: t.int(),
    events: t.text('{}'),
  })
  await t.unique('notificationSettings', 'userId', 'scope', 'scopeId')
  await t.index('notificationSettings', 'scope', 'scopeId')
}
