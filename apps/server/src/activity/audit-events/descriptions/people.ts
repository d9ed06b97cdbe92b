import { readPublicKey } from '../../../directory/keys/public-key.ts'
import { type AuditAct, type AuditTarget, type Descriptions, entriesOn } from '../audit-entry.ts'
import { actsOf } from './acts.ts'

/** Users, and how they sign in. */
export const peopleDescriptions: Descriptions = {
  'user.created': (tx, { createdUserId }) =>
    entriesOn(tx, 'User', createdUserId, [{ act: { add: 'user' } }]),
  'user.updated': (tx, { updatedUserId, changes }) =>
    entriesOn(tx, 'User', updatedUserId, actsOf(changes)),
  'user.deleted': (tx, { deletedUserId }) =>
    entriesOn(tx, 'User', deletedUserId, [{ act: { remove: 'user' } }]),
  'user.failed_login': (tx, { failedUserId }) =>
    entriesOn(tx, 'User', failedUserId, [{ act: { add: 'failed_sign_in', as: 'blocked' } }]),
  'sign_in.succeeded': (tx, { signedInUserId, method }) =>
    entriesOn(tx, 'User', signedInUserId, [{ act: { add: 'session', as: method } }]),
  'sign_in.failed': (tx, { failedUserId, method }) =>
    entriesOn(tx, 'User', failedUserId, [{ act: { add: 'failed_sign_in', as: method } }]),
  'two_factor.enabled': (tx, { ownerId }) =>
    entriesOn(tx, 'User', ownerId, [{ act: { add: 'two_factor_authentication' } }]),
  'two_factor.disabled': (tx, { ownerId }) =>
    entriesOn(tx, 'User', ownerId, [{ act: { remove: 'two_factor_authentication' } }]),
  'two_factor.recovery_codes_replaced': (tx, { ownerId }) =>
    entriesOn(tx, 'User', ownerId, [{ act: { change: 'recovery_codes' } }]),
  'token.created': (tx, { ownerId, ...token }) =>
    entriesOn(tx, 'User', ownerId, [
      { act: { add: `${token.tokenKind}_token` }, target: tokenTarget(token) },
    ]),
  'token.revoked': (tx, { ownerId, ...token }) =>
    entriesOn(tx, 'User', ownerId, [
      { act: { remove: `${token.tokenKind}_token` }, target: tokenTarget(token) },
    ]),
  'key.created': async (tx, change) =>
    entriesOn(tx, 'User', change.ownerId, [await keyEntry({ add: 'ssh_key' }, change)]),
  'key.deleted': async (tx, change) =>
    entriesOn(tx, 'User', change.ownerId, [await keyEntry({ remove: 'ssh_key' }, change)]),
  'gpg_key.created': (tx, { ownerId, keyId, fingerprint }) =>
    entriesOn(tx, 'User', ownerId, [
      { act: { add: 'gpg_key' }, target: { type: 'GpgKey', id: keyId, name: fingerprint } },
    ]),
  'gpg_key.deleted': (tx, { ownerId, keyId, fingerprint }) =>
    entriesOn(tx, 'User', ownerId, [
      { act: { remove: 'gpg_key' }, target: { type: 'GpgKey', id: keyId, name: fingerprint } },
    ]),
}

function tokenTarget({ tokenId, name }: { tokenId: number; name: string }): AuditTarget {
  return { type: 'PersonalAccessToken', id: tokenId, name }
}

async function keyEntry(act: AuditAct, { keyId, key }: { keyId: number; key: string }) {
  const { fingerprint } = await readPublicKey(key)
  return { act, target: { type: 'Key', id: keyId, name: fingerprint } as const }
}
