import { levelName } from '@stithy/core'
import { findAuditedEntity, type MemberSource, type Transaction } from '@stithy/store'
import {
  type AuditAct,
  type AuditEntry,
  type AuditTarget,
  type Descriptions,
  entriesOn,
} from '../audit-entry.ts'

/** Who may do what: members, shares, protections, keys and tokens of projects and groups. */
export const accessDescriptions: Descriptions = {
  'member.joined': (tx, { memberId, memberships }) =>
    membershipEntries(tx, memberId, memberships, ({ accessLevel }) => {
      return { add: 'user_access', as: levelName(accessLevel) }
    }),
  'member.updated': (tx, { memberId, membership, previous }) =>
    membershipEntries(tx, memberId, [membership], () => {
      const isLevel = previous.accessLevel !== membership.accessLevel
      const levels = [previous, membership].map(({ accessLevel }) => levelName(accessLevel))
      const days = [previous.expiresOn, membership.expiresOn]
      const [from = null, to = null] = isLevel ? levels : days
      return { change: isLevel ? 'access_level' : 'expiry', from, to }
    }),
  'member.left': (tx, { memberId, memberships }) =>
    membershipEntries(tx, memberId, memberships, () => ({ remove: 'user_access' })),
  'member.expired': (tx, { memberId, memberships }) =>
    membershipEntries(tx, memberId, memberships, () => ({ remove: 'user_access' })),
  'share.created': (tx, { source, groupId, accessLevel }) =>
    shareEntries(tx, source, groupId, { add: 'group_access', as: levelName(accessLevel) }),
  'share.deleted': (tx, { source, groupId }) =>
    shareEntries(tx, source, groupId, { remove: 'group_access' }),
  'ref_protection.changed': (tx, { projectId, refKind, name, action }) =>
    entriesOn(tx, 'Project', projectId, [
      {
        act: { [action]: `protected_${refKind}` },
        target: { type: refKind === 'branch' ? 'ProtectedBranch' : 'ProtectedTag', id: null, name },
      },
    ]),
  'deploy_key.enabled': (tx, { projectId, keyId, title }) =>
    entriesOn(tx, 'Project', projectId, [
      { act: { add: 'deploy_key' }, target: { type: 'DeployKey', id: keyId, name: title } },
    ]),
  'deploy_key.updated': (tx, { projectId, keyId, title }) =>
    entriesOn(tx, 'Project', projectId, [
      { act: { change: 'deploy_key' }, target: { type: 'DeployKey', id: keyId, name: title } },
    ]),
  'deploy_key.disabled': (tx, { projectId, keyId, title }) =>
    entriesOn(tx, 'Project', projectId, [
      { act: { remove: 'deploy_key' }, target: { type: 'DeployKey', id: keyId, name: title } },
    ]),
  'deploy_token.created': (tx, { projectId, tokenId, name }) =>
    entriesOn(tx, 'Project', projectId, [
      { act: { add: 'deploy_token' }, target: { type: 'DeployToken', id: tokenId, name } },
    ]),
  'deploy_token.revoked': (tx, { projectId, tokenId, name }) =>
    entriesOn(tx, 'Project', projectId, [
      { act: { remove: 'deploy_token' }, target: { type: 'DeployToken', id: tokenId, name } },
    ]),
  'scim_token.created': (tx, { groupId }) =>
    entriesOn(tx, 'Group', groupId, [{ act: { add: 'scim_token' } }]),
  'scim_token.revoked': (tx, { groupId }) =>
    entriesOn(tx, 'Group', groupId, [{ act: { remove: 'scim_token' } }]),
}

function typeOf({ sourceKind }: MemberSource): 'Group' | 'Project' {
  return sourceKind === 'group' ? 'Group' : 'Project'
}

async function membershipEntries<M extends MemberSource>(
  tx: Transaction,
  memberId: number,
  memberships: readonly M[],
  actOf: (membership: M) => AuditAct,
): Promise<AuditEntry[]> {
  if (memberships.length === 0) return []
  const user = await findAuditedEntity(tx, 'User', memberId)
  const target: AuditTarget = { type: 'User', id: memberId, name: user?.entityPath ?? '' }
  const entries: AuditEntry[] = []
  for (const membership of memberships) {
    const entry = { act: actOf(membership), target }
    entries.push(...(await entriesOn(tx, typeOf(membership), membership.sourceId, [entry])))
  }
  return entries
}

async function shareEntries(
  tx: Transaction,
  source: MemberSource,
  groupId: number,
  act: AuditAct,
): Promise<AuditEntry[]> {
  const group = await findAuditedEntity(tx, 'Group', groupId)
  const target = { type: 'Group', id: groupId, name: group?.entityPath ?? '' }
  return entriesOn(tx, typeOf(source), source.sourceId, [{ act, target }])
}
