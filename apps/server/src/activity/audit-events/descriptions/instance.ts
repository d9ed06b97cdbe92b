import { type Descriptions, instanceEntries } from '../audit-entry.ts'
import { actsOf } from './acts.ts'

/** What belongs to the whole instance. */
export const instanceDescriptions: Descriptions = {
  'public_deploy_key.created': (tx, { userId, keyId, title: name }) =>
    instanceEntries(tx, userId, {
      act: { add: 'public_deploy_key' },
      target: { type: 'DeployKey', id: keyId, name },
    }),
  'public_deploy_key.deleted': (tx, { userId, keyId, title: name }) =>
    instanceEntries(tx, userId, {
      act: { remove: 'public_deploy_key' },
      target: { type: 'DeployKey', id: keyId, name },
    }),
  'feature.changed': (tx, { userId, name, value, limits }) =>
    instanceEntries(tx, userId, {
      act: { change: 'feature', to: [value, ...limits].join(' ') },
      target: { type: 'Feature', id: null, name },
    }),
  'feature.deleted': (tx, { userId, name }) =>
    instanceEntries(tx, userId, {
      act: { remove: 'feature' },
      target: { type: 'Feature', id: null, name },
    }),
  'broadcast_message.created': (tx, { userId, broadcastMessageId: id, message }) =>
    instanceEntries(tx, userId, {
      act: { add: 'broadcast_message' },
      target: { type: 'BroadcastMessage', id, name: beginningOf(message) },
    }),
  'broadcast_message.updated': (tx, { userId, broadcastMessageId: id, message }) =>
    instanceEntries(tx, userId, {
      act: { change: 'broadcast_message' },
      target: { type: 'BroadcastMessage', id, name: beginningOf(message) },
    }),
  'broadcast_message.deleted': (tx, { userId, broadcastMessageId: id, message }) =>
    instanceEntries(tx, userId, {
      act: { remove: 'broadcast_message' },
      target: { type: 'BroadcastMessage', id, name: beginningOf(message) },
    }),
  'settings.updated': (tx, { userId, changes }) => {
    const target = { type: 'ApplicationSettings', id: 1, name: 'settings' }
    return instanceEntries(tx, userId, ...actsOf(changes).map((act) => ({ ...act, target })))
  },
  'appearance.updated': (tx, { userId, names }) =>
    instanceEntries(tx, userId, {
      act: { change: 'appearance', to: names.join(', ') },
      target: { type: 'Appearance', id: 1, name: 'appearance' },
    }),
}

/** A message may be long; it must not end within a character. */
function beginningOf(text: string): string {
  return Array.from(text.slice(0, 200)).slice(0, 100).join('')
}
