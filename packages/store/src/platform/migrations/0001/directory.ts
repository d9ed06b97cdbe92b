import type { Columns, Tools } from '../tools.ts'
import { createOauth } from './oauth.ts'
import { createScim } from './scim.ts'

/** Users and their credentials, namespaces. */
export async function createUsersAndNamespaces(t: Tools): Promise<void> {
  await createUsers(t)
  await createEmails(t)
  await createStatuses(t)
  await createOauth(t)
  await createCredentials(t)
  await createTwoFactors(t)
  await createSshKeys(t)
  await createGpgKeys(t)
  await createNamespaces(t)
  await createAncestors(t)
  await createScim(t)
}

async function createUsers(t: Tools): Promise<void> {
  await t.table('users', userColumns(t))
  await t.unique('users', 'usernameLower')
  await t.unique('users', 'emailLower')
  await t.index('users', 'publicEmail', 'id')
  await t.index('users', 'nameLower', 'id')
  await t.index('users', 'createdAt', 'id')
  await t.index('users', 'updatedAt', 'id')
  await t.notNullIndex('users', 'lastActivityOn', ['lastActivityOn', 'id'])
  await t.partialIndex('users', 'state', 'blocked')
  await t.partialIndex('users', 'admin', 1)
  await t.partialIndex('users', 'external', 1)
}

function userColumns(t: Tools): Columns {
  return {
    id: t.id(),
    kind: t.text('human'),
    username: t.text(),
    usernameLower: t.text(),
    name: t.text(),
    nameLower: t.text(),
    email: t.text(),
    emailLower: t.text(),
    state: t.text('active'),
    admin: t.int(0),
    external: t.int(0),
    passwordHash: t.textOrNull(),
    mustChangePassword: t.int(0),
    bio: t.textOrNull(),
    location: t.textOrNull(),
    publicEmail: t.text(''),
    skype: t.text(''),
    linkedin: t.text(''),
    twitter: t.text(''),
    websiteUrl: t.text(''),
    organization: t.textOrNull(),
    ...userSettingColumns(t),
  }
}

function userSettingColumns(t: Tools): Columns {
  return {
    projectsLimit: t.int(100_000),
    canCreateGroup: t.int(1),
    privateProfile: t.int(0),
    themeId: t.int(1),
    colorSchemeId: t.int(1),
    avatar: t.textOrNull(),
    twoFactorEnabled: t.int(0),
    twoFactorGraceStartedAt: t.longOrNull(),
    acceptedTermsVersion: t.longOrNull(),
    sharedRunnersMinutesLimit: t.intOrNull(),
    extraSharedRunnersMinutesLimit: t.intOrNull(),
    note: t.textOrNull(),
    createdAt: t.long(),
    updatedAt: t.long(),
    confirmedAt: t.longOrNull(),
    lastSignInAt: t.longOrNull(),
    currentSignInAt: t.longOrNull(),
    lastActivityOn: t.textOrNull(),
  }
}

async function createEmails(t: Tools): Promise<void> {
  await t.table('emails', {
    id: t.id(),
    userId: t.parent('users'),
    kind: t.text(),
    email: t.text(),
    emailLower: t.text(),
    confirmedAt: t.longOrNull(),
    tokenHash: t.textOrNull(),
    tokenExpiresAt: t.longOrNull(),
    notified: t.int(0),
    createdAt: t.long(),
  })
  await t.unique('emails', 'emailLower')
  await t.unique('emails', 'tokenHash')
  await t.index('emails', 'userId', 'kind', 'id')
}

async function createStatuses(t: Tools): Promise<void> {
  const status = { userId: t.parent('users'), emoji: t.text(), message: t.text() }
  await t.table('userStatuses', status, ['userId'])
  const preferences = {
    userId: t.parent('users'),
    viewDiffsFileByFile: t.int(),
    showWhitespaceInDiffs: t.int(),
  }
  await t.table('userPreferences', preferences, ['userId'])
}

async function createCredentials(t: Tools): Promise<void> {
  await t.table('tokens', {
    id: t.id(),
    userId: t.parentOrNull('users'),
    oauthGrantId: t.parentOrNull('oauthGrants'),
    kind: t.text(),
    name: t.text(),
    tokenHash: t.text(),
    scopes: t.text(),
    revoked: t.int(0),
    expiresOn: t.textOrNull(),
    expiresAt: t.longOrNull(),
    createdAt: t.long(),
    createdById: t.longOrNull(),
  })
  await t.unique('tokens', 'tokenHash')
  await t.index('tokens', 'userId', 'kind', 'id')
  await t.notNullIndex('tokens', 'oauthGrantId')
  await t.notNullIndex('tokens', 'oauthGrantId', ['expiresAt'])
  const sessionColumns = {
    id: t.text(),
    userId: t.parent('users'),
    csrfToken: t.text(),
    createdAt: t.long(),
    expiresAt: t.long(),
    remember: t.int(0),
  }
  await t.table('sessions', sessionColumns, ['id'])
  await t.index('sessions', 'userId')
  await t.index('sessions', 'expiresAt')
}

async function createTwoFactors(t: Tools): Promise<void> {
  const columns = {
    userId: t.parent('users'),
    secret: t.text(),
    confirmedAt: t.longOrNull(),
    lastUsedStep: t.long(0),
    failedAttempts: t.int(0),
    lastAttemptAt: t.long(0),
    createdAt: t.long(),
  }
  await t.table('twoFactors', columns, ['userId'])
  const codeColumns = { userId: t.parent('users'), codeHash: t.text() }
  await t.table('recoveryCodes', codeColumns, ['userId', 'codeHash'])
  const pendingColumns = {
    id: t.text(),
    userId: t.parent('users'),
    remember: t.int(0),
    createdAt: t.long(),
    expiresAt: t.long(),
  }
  await t.table('pendingSignIns', pendingColumns, ['id'])
  await t.index('pendingSignIns', 'userId')
  await t.index('pendingSignIns', 'expiresAt')
}

async function createSshKeys(t: Tools): Promise<void> {
  await t.table('sshKeys', {
    id: t.id(),
    kind: t.text(),
    userId: t.parentOrNull('users'),
    creatorId: t.referenceOrNull('users'),
    title: t.text(),
    key: t.text(),
    fingerprint: t.text(),
    fingerprintMd5: t.text(),
    public: t.int(0),
    expiresOn: t.textOrNull(),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  await t.unique('sshKeys', 'fingerprint')
  await t.index('sshKeys', 'fingerprintMd5')
  await t.index('sshKeys', 'kind', 'id')
  await t.index('sshKeys', 'userId', 'id')
  await t.index('sshKeys', 'creatorId')
}

async function createGpgKeys(t: Tools): Promise<void> {
  await t.table('gpgKeys', {
    id: t.id(),
    userId: t.parent('users'),
    key: t.text(),
    fingerprint: t.text(),
    keyId: t.text(),
    userIds: t.text(),
    createdAt: t.long(),
  })
  await t.unique('gpgKeys', 'fingerprint')
  await t.index('gpgKeys', 'keyId', 'id')
  await t.index('gpgKeys', 'userId', 'id')
  await t.table('gpgSubkeys', {
    id: t.id(),
    gpgKeyId: t.parent('gpgKeys'),
    keyId: t.text(),
    fingerprint: t.text(),
  })
  await t.index('gpgSubkeys', 'keyId', 'id')
  await t.index('gpgSubkeys', 'gpgKeyId')
}

async function createNamespaces(t: Tools): Promise<void> {
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
    parentId: t.parentOrNull('namespaces'),
    ownerId: t.parentOrNull('users'),
    visibility: t.text(),
    description: t.text(''),
    lfsEnabled: t.int(1),
    requestAccessEnabled: t.int(0),
    membershipLock: t.int(0),
    shareWithGroupLock: t.int(0),
    requireTwoFactorAuthentication: t.int(0),
    twoFactorGracePeriod: t.int(48),
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
  await t.partialIndex('namespaces', 'requireTwoFactorAuthentication', 1)
}

async function createAncestors(t: Tools): Promise<void> {
  const columns = {
    descendantId: t.parent('namespaces'),
    ancestorId: t.parent('namespaces'),
    distance: t.int(),
  }
  await t.table('namespaceAncestors', columns, ['descendantId', 'ancestorId'])
  await t.index('namespaceAncestors', 'ancestorId', 'descendantId')
}
