import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { optional, text } from '../../platform/contract/fields.ts'
import { maxStatusMessageLength } from './user-status.rules.ts'
import { UserStatus } from './user-status.schema.ts'

const reading = { scope: ['api', 'read_user'] } as const

/** The status that users show beside their name. */
export const userStatusContract = {
  own: endpoint({
    name: 'users.status.show',
    method: 'GET',
    path: '/user/status',
    response: { 200: UserStatus },
    auth: reading,
    docs: { summary: 'Show the status of the current user' },
  }),
  ofUser: endpoint({
    name: 'users.status.show',
    method: 'GET',
    path: '/users/:user_id/status',
    response: { 200: UserStatus },
    auth: reading,
    errors: ['not_found'],
    docs: {
      summary: 'Show the status of a user',
      description: 'The user is given by ID or username.',
    },
  }),
  set: endpoint({
    name: 'users.status.set',
    method: 'PUT',
    path: '/user/status',
    body: z.object(
      optional({
        emoji: text(),
        message: text({ rules: { maxLength: maxStatusMessageLength } }),
      }),
    ),
    response: { 200: UserStatus },
    auth: { on: 'instance', ability: 'update_own_settings' },
    errors: ['validation_failed'],
    docs: {
      summary: 'Set the status of the current user',
      description:
        'Replaces emoji and message. The emoji is `speech_balloon` if only a message is given; ' +
        'without both, the status is cleared.',
    },
  }),
}
