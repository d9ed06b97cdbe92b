import { findAuditedEntity } from '@stithy/store'
import { type Descriptions, entriesOn } from '../audit-entry.ts'
import { actsOf } from './acts.ts'

/** Projects, groups, and the webhooks of projects. */
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
  'group.created': (tx, { groupId }) =>
    entriesOn(tx, 'Group', groupId, [{ act: { add: 'group' } }]),
  'group.updated': (tx, { groupId, changes }) => entriesOn(tx, 'Group', groupId, actsOf(changes)),
  'group.deleted': async (_, { groupIds: ids }) => [
    { entityType: 'Group', ids, act: { remove: 'group' } },
  ],
  'webhook.changed': (tx, { projectId, webhookId, host, action }) =>
    entriesOn(tx, 'Project', projectId, [
      { act: { [action]: 'webhook' }, target: { type: 'ProjectHook', id: webhookId, name: host } },
    ]),
}
