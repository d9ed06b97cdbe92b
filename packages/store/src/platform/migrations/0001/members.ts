import type { Tools } from '../tools.ts'

/** projectGroupLinks, groupGroupLinks */
export async function createShares(t: Tools): Promise<void> {
  await t.table('projectGroupLinks', {
    id: t.id(),
    projectId: t.parent('projects'),
    groupId: t.parent('namespaces'),
    groupAccess: t.int(),
    expiresOn: t.textOrNull(),
    createdAt: t.long(),
  })
  await t.unique('projectGroupLinks', 'projectId', 'groupId')
  await t.index('projectGroupLinks', 'groupId')
  await t.table('groupGroupLinks', {
    id: t.id(),
    sharedGroupId: t.parent('namespaces'),
    sharedWithGroupId: t.parent('namespaces'),
    groupAccess: t.int(),
    expiresOn: t.textOrNull(),
    createdAt: t.long(),
  })
  await t.unique('groupGroupLinks', 'sharedGroupId', 'sharedWithGroupId')
  await t.index('groupGroupLinks', 'sharedWithGroupId')
}

/** members, accessRequests, customAttributes */
export async function createMembers(t: Tools): Promise<void> {
  await t.table('members', {
    id: t.id(),
    userId: t.parent('users'),
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
  await t.table('accessRequests', {
    id: t.id(),
    userId: t.parent('users'),
    sourceKind: t.text(),
    sourceId: t.long(),
    createdAt: t.long(),
  })
  await t.unique('accessRequests', 'sourceKind', 'sourceId', 'userId')
  await t.index('accessRequests', 'sourceKind', 'sourceId', 'id')
  await t.index('accessRequests', 'userId')
  await t.table('customAttributes', {
    id: t.id(),
    ownerKind: t.text(),
    ownerId: t.long(),
    key: t.text(),
    value: t.text(),
  })
  await t.unique('customAttributes', 'ownerKind', 'ownerId', 'key')
  await t.index('customAttributes', 'ownerKind', 'key', 'value')
}
