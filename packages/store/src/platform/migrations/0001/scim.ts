import type { Tools } from '../tools.ts'

/** Identities at other providers, and what SCIM clients provision in groups. */
export async function createScim(t: Tools): Promise<void> {
  await t.table('identities', {
    id: t.id(),
    userId: t.parent('users'),
    provider: t.text(),
    externUid: t.text(),
    groupId: t.parentOrNull('namespaces'),
  })
  await t.uniqueWhereNull('identities', ['provider', 'externUid'], 'groupId')
  await t.unique('identities', 'groupId', 'externUid')
  await t.unique('identities', 'groupId', 'userId')
  await t.index('identities', 'provider', 'externUid')
  await t.index('identities', 'userId')
  await t.notNullIndex('identities', 'groupId', ['groupId', 'id'])
  const tokenColumns = { groupId: t.parent('namespaces'), tokenHash: t.text(), createdAt: t.long() }
  await t.table('scimTokens', tokenColumns, ['groupId'])
  await t.unique('scimTokens', 'tokenHash')
  const accountColumns = {
    userId: t.parent('users'),
    groupId: t.parent('namespaces'),
    userName: t.text(),
    userNameLower: t.text(),
  }
  await t.table('scimAccounts', accountColumns, ['userId'])
  await t.unique('scimAccounts', 'groupId', 'userNameLower')
}
