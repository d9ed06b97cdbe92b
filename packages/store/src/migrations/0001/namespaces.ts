import type { Tools } from '../tools.ts'

/** namespaces, namespaceAncestors */
export async function createNamespaces(t: Tools): Promise<void> {
  await t.table('namespaces', {
    id: t.id(),
    kind: t.text(),
    name: t.text(),
    nameLower: t.text(),
    path: t.text(),
    pathLower: t.text(),
    fullPath: t.text(),
    fullPathLower: t.text(),
    fullName: t.text(),
    parentId: t.ownerOrNull('namespaces'),
    ownerId: t.ownerOrNull('users'),
    visibility: t.text(),
    description: t.text(''),
    lfsEnabled: t.int(1),
    requestAccessEnabled: t.int(0),
    membershipLock: t.int(0),
    shareWithGroupLock: t.int(0),
    avatar: t.textOrNull(),
    fileTemplateProjectId: t.longOrNull(),
    sharedRunnersMinutesLimit: t.intOrNull(),
    extraSharedRunnersMinutesLimit: t.intOrNull(),
    createdAt: t.long(),
    updatedAt: t.long(),
    deletedAt: t.longOrNull(),
  })
  await t.unique('namespaces', 'fullPathLower')
  await t.index('namespaces', 'parentId', 'nameLower', 'id')
  await t.index('namespaces', 'ownerId')
  await t.index('namespaces', 'kind', 'id')
  await t.index('namespaces', 'kind', 'nameLower', 'id')
  await t.index('namespaces', 'kind', 'pathLower', 'id')
  await createAncestors(t)
}

async function createAncestors(t: Tools): Promise<void> {
  const columns = {
    descendantId: t.owner('namespaces'),
    ancestorId: t.owner('namespaces'),
    distance: t.int(),
  }
  await t.table('namespaceAncestors', columns, ['descendantId', 'ancestorId'])
  await t.index('namespaceAncestors', 'ancestorId', 'descendantId')
}
