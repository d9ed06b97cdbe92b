import type { Tools } from '../tools.ts'

/** Protected branches and tags, releases, deploy keys and tokens, badges, repository housekeeping. */
export async function createCode(t: Tools): Promise<void> {
  await createProtectedRefs(t)
  await createReleases(t)
  await createDeployKeys(t)
  await createDeployTokens(t)
  await createBadges(t)
  const housekeeping = {
    projectId: t.parent('projects'),
    pushCount: t.int(),
    jobId: t.longOrNull(),
  }
  await t.table('repositoryHousekeeping', housekeeping, ['projectId'])
}

/** Protected branches and tags, and who may push to or merge into them. */
async function createProtectedRefs(t: Tools): Promise<void> {
  await t.table('protectedRefs', {
    id: t.id(),
    projectId: t.parent('projects'),
    kind: t.text(),
    name: t.text(),
    createdAt: t.long(),
  })
  await t.unique('protectedRefs', 'projectId', 'kind', 'name')
  await t.table('protectedRefLevels', {
    id: t.id(),
    protectedRefId: t.parent('protectedRefs'),
    action: t.text(),
    accessLevel: t.intOrNull(),
    userId: t.parentOrNull('users'),
    groupId: t.parentOrNull('namespaces'),
  })
  await t.index('protectedRefLevels', 'protectedRefId', 'id')
  await t.index('protectedRefLevels', 'userId')
  await t.index('protectedRefLevels', 'groupId')
}

/** Releases of tags, and their links. */
async function createReleases(t: Tools): Promise<void> {
  await t.table('releases', {
    id: t.id(),
    projectId: t.parent('projects'),
    tag: t.text(),
    name: t.text(),
    description: t.textOrNull(),
    authorId: t.referenceOrNull('users'),
    createdAt: t.long(),
    updatedAt: t.long(),
    releasedAt: t.long(),
  })
  await t.unique('releases', 'projectId', 'tag')
  await t.index('releases', 'projectId', 'createdAt', 'id')
  await t.index('releases', 'authorId')
  await t.table('releaseLinks', {
    id: t.id(),
    releaseId: t.parent('releases'),
    name: t.text(),
    url: t.text(),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  await t.unique('releaseLinks', 'releaseId', 'name')
  await t.unique('releaseLinks', 'releaseId', 'url')
  await t.index('releaseLinks', 'releaseId', 'id')
}

async function createDeployKeys(t: Tools): Promise<void> {
  const link = {
    projectId: t.parent('projects'),
    keyId: t.parent('sshKeys'),
    canPush: t.int(),
    createdAt: t.long(),
  }
  await t.table('deployKeyProjects', link, ['projectId', 'keyId'])
  await t.index('deployKeyProjects', 'keyId')
}

async function createDeployTokens(t: Tools): Promise<void> {
  await t.table('deployTokens', {
    id: t.id(),
    projectId: t.parent('projects'),
    creatorId: t.referenceOrNull('users'),
    name: t.text(),
    username: t.textOrNull(),
    tokenHash: t.text(),
    scopes: t.text(),
    expiresAt: t.longOrNull(),
    createdAt: t.long(),
  })
  await t.unique('deployTokens', 'tokenHash')
  await t.index('deployTokens', 'projectId', 'id')
  await t.index('deployTokens', 'creatorId')
}

/** Badges of projects and groups. */
async function createBadges(t: Tools): Promise<void> {
  await t.table('badges', {
    id: t.id(),
    projectId: t.parentOrNull('projects'),
    groupId: t.parentOrNull('namespaces'),
    linkUrl: t.text(),
    imageUrl: t.text(),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  await t.index('badges', 'projectId', 'id')
  await t.index('badges', 'groupId', 'id')
}
