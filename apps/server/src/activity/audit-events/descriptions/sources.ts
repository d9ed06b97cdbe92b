import { findAuditedEntity } from '@stithy/store'
import { type Descriptions, entriesOn, instanceEntries } from '../audit-entry.ts'
import { actsOf } from './acts.ts'

/** Projects and their domains, groups, and webhooks. */
export const sourceDescriptions: Descriptions = {
  'project.created': (tx, { projectId }) =>
    entriesOn(tx, 'Project', projectId, [{ act: { add: 'project' } }]),
  'project.updated': (tx, { projectId, changes }) =>
    entriesOn(tx, 'Project', projectId, actsOf(changes)),
  'project.transferred': async (tx, { projectId, oldFullPath: from }) => {
    const entity = await findAuditedEntity(tx, 'Project', projectId)
    if (entity === undefined) return []
    return [{ entity, act: { change: 'namespace', from, to: entity.entityPath } }]
  },
  'project.deleted': async (_, { projectIds: ids }) => [
    { entityType: 'Project', ids, act: { remove: 'project' } },
  ],
  'pages_domain.changed': (tx, { projectId, domainId: id, domain: name, action }) =>
    entriesOn(tx, 'Project', projectId, [
      { act: { [action]: 'pages_domain' }, target: { type: 'PagesDomain', id, name } },
    ]),
  'pages_domain.verified': (tx, { projectId, domainId: id, domain: name, isVerified }) => {
    const [from, to] = isVerified ? ['unverified', 'verified'] : ['verified', 'unverified']
    const act = { change: 'pages_domain_verification', from, to }
    return entriesOn(tx, 'Project', projectId, [{ act, target: { type: 'PagesDomain', id, name } }])
  },
  'group.created': (tx, { groupId }) =>
    entriesOn(tx, 'Group', groupId, [{ act: { add: 'group' } }]),
  'group.updated': (tx, { groupId, changes }) => entriesOn(tx, 'Group', groupId, actsOf(changes)),
  'group.deleted': async (_, { groupIds: ids }) => [
    { entityType: 'Group', ids, act: { remove: 'group' } },
  ],
  'webhook.changed': (tx, { userId, owner, webhookId: id, host: name, action }) => {
    const act = { [action]: 'webhook' }
    if (owner.kind === 'system') {
      return instanceEntries(tx, userId, { act, target: { type: 'SystemHook', id, name } })
    }
    const [entity, type] =
      owner.kind === 'group'
        ? (['Group', 'GroupHook'] as const)
        : (['Project', 'ProjectHook'] as const)
    return entriesOn(tx, entity, owner.id, [{ act, target: { type, id, name } }])
  },
}
