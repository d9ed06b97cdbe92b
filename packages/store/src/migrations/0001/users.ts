import type { Columns, Tools } from '../tools.ts'

/** users, identities, tokens, sessions */
export async function createUsers(t: Tools): Promise<void> {
  await t.table('users', userColumns(t))
  await t.unique('users', 'usernameLower')
  await t.unique('users', 'emailLower')
  await t.index('users', 'nameLower', 'id')
  await t.index('users', 'createdAt', 'id')
  await t.index('users', 'updatedAt', 'id')
  await t.few('users', 'state', 'blocked')
  await t.few('users', 'admin', 1)
  await t.few('users', 'external', 1)
  await createIdentities(t)
  await createCredentials(t)
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

async function createIdentities(t: Tools): Promise<void> {
  await t.table('identities', {
    id: t.id(),
    userId: t.owner('users'),
    provider: t.text(),
    externUid: t.text(),
  })
  await t.unique('identities', 'provider', 'externUid')
  await t.index('identities', 'userId')
}

async function createCredentials(t: Tools): Promise<void> {
  await t.table('tokens', {
    id: t.id(),
    userId: t.owner('users'),
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
  const sessionColumns = {
    id: t.text(),
    userId: t.owner('users'),
    csrfToken: t.text(),
    createdAt: t.long(),
    expiresAt: t.long(),
    remember: t.int(0),
  }
  await t.table('sessions', sessionColumns, ['id'])
  await t.index('sessions', 'userId')
  await t.index('sessions', 'expiresAt')
}
