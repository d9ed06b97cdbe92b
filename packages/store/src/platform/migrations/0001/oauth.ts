import type { Tools } from '../tools.ts'

/** Applications of the OAuth2 provider and what they were granted. */
export async function createOauth(t: Tools): Promise<void> {
  await t.table('oauthApplications', {
    id: t.id(),
    ownerId: t.parentOrNull('users'),
    uid: t.text(),
    secretHash: t.text(),
    name: t.text(),
    redirectUris: t.text(),
    scopes: t.text(),
    confidential: t.int(),
    trusted: t.int(),
    createdAt: t.long(),
    deletedAt: t.longOrNull(),
  })
  await t.unique('oauthApplications', 'uid')
  await t.index('oauthApplications', 'ownerId')
  await createGrants(t)
  await createSecrets(t)
}

async function createGrants(t: Tools): Promise<void> {
  await t.table('oauthGrants', {
    id: t.id(),
    applicationId: t.parentOrNull('oauthApplications'),
    userId: t.parentOrNull('users'),
    scopes: t.text(),
    createdAt: t.long(),
    expiresAt: t.long(),
    revokedAt: t.longOrNull(),
  })
  await t.index('oauthGrants', 'applicationId')
  await t.index('oauthGrants', 'userId')
  await t.index('oauthGrants', 'expiresAt')
}

async function createSecrets(t: Tools): Promise<void> {
  const codeColumns = {
    codeHash: t.text(),
    grantId: t.parent('oauthGrants'),
    redirectUri: t.textOrNull(),
    challenge: t.textOrNull(),
    challengeMethod: t.textOrNull(),
    expiresAt: t.long(),
    usedAt: t.longOrNull(),
  }
  await t.table('oauthCodes', codeColumns, ['codeHash'])
  await t.index('oauthCodes', 'grantId')
  await t.index('oauthCodes', 'expiresAt')
  const refreshColumns = {
    tokenHash: t.text(),
    grantId: t.parent('oauthGrants'),
    createdAt: t.long(),
    expiresAt: t.long(),
    usedAt: t.longOrNull(),
  }
  await t.table('oauthRefreshTokens', refreshColumns, ['tokenHash'])
  await t.index('oauthRefreshTokens', 'grantId')
  await t.notNullIndex('oauthRefreshTokens', 'usedAt')
}
