import { z } from 'zod'
import { dateTime } from '../../platform/contract/date-fields.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, nonEmptyText, optional, text } from '../../platform/contract/fields.ts'
import { hexColorText } from '../../platform/contract/hex-color.rules.ts'
import { maxBroadcastLength } from './broadcast-message.rules.ts'
import { BroadcastMessage } from './broadcast-message.schema.ts'

const auth = { on: 'instance', ability: 'administer' } as const
const params = z.object({ broadcast_message_id: integer({ min: 1 }) })
const one = '/broadcast_messages/:broadcast_message_id'
const messageText = {
  rules: { minLength: 1, maxLength: maxBroadcastLength, pattern: String.raw`\S` },
}
const settings = optional({
  starts_at: dateTime(),
  ends_at: dateTime(),
  color: text(hexColorText),
  font: text(hexColorText),
})

/** Messages that the pages of the server show to everyone. */
export const broadcastMessagesContract = {
  list: endpoint({
    name: 'broadcastMessages.list',
    method: 'GET',
    path: '/broadcast_messages',
    paginated: true,
    response: { 200: z.array(BroadcastMessage) },
    auth,
    docs: { summary: 'List broadcast messages', description: 'Newest first.' },
  }),
  show: endpoint({
    name: 'broadcastMessages.show',
    method: 'GET',
    path: one,
    params,
    response: { 200: BroadcastMessage },
    auth,
    errors: ['not_found'],
    docs: { summary: 'Show a broadcast message' },
  }),
  create: endpoint({
    name: 'broadcastMessages.create',
    method: 'POST',
    path: '/broadcast_messages',
    body: z.object({ message: nonEmptyText(messageText), ...settings }),
    response: { 201: BroadcastMessage },
    auth,
    errors: ['validation_failed'],
    docs: {
      summary: 'Create a broadcast message',
      description: 'By default it starts now and ends an hour later.',
    },
  }),
  update: endpoint({
    name: 'broadcastMessages.update',
    method: 'PUT',
    path: one,
    params,
    body: z.object({ message: text(messageText).optional(), ...settings }),
    response: { 200: BroadcastMessage },
    auth,
    errors: ['not_found', 'validation_failed'],
    docs: { summary: 'Update a broadcast message' },
  }),
  delete: endpoint({
    name: 'broadcastMessages.delete',
    method: 'DELETE',
    path: one,
    params,
    response: { 204: null },
    auth,
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Delete a broadcast message' },
  }),
}
