import type { Tools } from '../tools.ts'

/** members, projectGroupLinks */
export async function createMembers(t: Tools): Promise<void> {
  await t.table('members', {
    id: t.id(),
    userId: t.owner('users'),
    sourceKind: t.text(),
    sourceId: t.long(),
    accessLevel: t.int(),
    expiresOn: t.textOrNull(),
    notificationLevel: t.int(3),
    createdAt: t.long(),
    createdById: t.longOrNull(),
  })
  await t.unique('members', 'sourceKind', 'sourceId', 'userId')
  await t.index('members', 'userId', 'sourceKind', 'sourceId', 'accessLevel', 'expiresOn')
  await t.index('members', 'expiresOn')
  await t.table('projectGroupLinks', {
    id: t.id(),
    projectId: t.owner('projects'),
    groupId: t.owner('namespaces'),
    groupAccess: t.int(),
    expiresOn: t.textOrNull(),
    createdAt: t.long(),
  })
  await t.unique('projectGroupLinks', 'projectId', 'groupId')
  await t.index('projectGroupLinks', 'groupId')
}

export async function createEvents(t: Tools): Promise<void> {
  await t.table('events', {
    id: t.id(),
    projectId: t.ownerOrNull('projects'),
    authorId: t.owner('users'),
    action: t.text(),
    targetType: t.textOrNull(),
    targetId: t.longOrNull(),
    targetIid: t.longOrNull(),
    targetTitle: t.textOrNull(),
    commitCount: t.intOrNull(),
    pushAction: t.textOrNull(),
    refType: t.textOrNull(),
    commitFrom: t.textOrNull(),
    commitTo: t.textOrNull(),
    ref: t.textOrNull(),
    commitTitle: t.textOrNull(),
    createdAt: t.long(),
  })
  for (const whose of ['authorId', 'projectId']) {
    await t.index('events', whose, 'createdAt', 'id')
    await t.index('events', whose, 'action', 'createdAt', 'id')
    await t.index('events', whose, 'targetType', 'createdAt', 'id')
  }
}

/** customAttributes, jobs, counters, settings, stamps */
export async function createSystem(t: Tools): Promise<void> {
  await t.table('customAttributes', {
    id: t.id(),
    ownerKind: t.text(),
    ownerId: t.long(),
    key: t.text(),
    value: t.text(),
  })
  await t.unique('customAttributes', 'ownerKind', 'ownerId', 'key')
  await t.index('customAttributes', 'ownerKind', 'key', 'value')
  await t.table('jobs', {
    id: t.id(),
    queue: t.text(),
    kind: t.text(),
    payload: t.text(),
    state: t.text('queued'),
    attempts: t.int(0),
    maxAttempts: t.int(),
    runAt: t.long(),
    leaseUntil: t.longOrNull(),
    leaseOwner: t.textOrNull(),
    lastError: t.textOrNull(),
    createdAt: t.long(),
    finishedAt: t.longOrNull(),
  })
  await t.index('jobs', 'state', 'runAt', 'id')
  await t.index('jobs', 'queue', 'state')
  await t.table('counters', { name: t.text(), value: t.long() }, ['name'])
  await t.table('settings', { key: t.text(), value: t.text() }, ['key'])
  await t.table('stamps', { name: t.text(), version: t.long() }, ['name'])
}
