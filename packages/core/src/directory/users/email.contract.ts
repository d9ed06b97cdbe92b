import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, integer, nonEmptyText } from '../../platform/contract/fields.ts'
import { emailText } from '../../platform/contract/text-options.ts'
import { Email } from './email.schema.ts'

const owner = z.object({ id: integer({ min: 1 }) })
const own = z.object({ email_id: integer({ min: 1 }) })
const reading = { scope: ['api', 'read_user'] } as const
const updating = { on: 'instance', ability: 'update_own_settings' } as const
const administering = { on: 'instance', ability: 'administer' } as const
const creation =
  'It must be confirmed with the link that is sent to it. Until then, it neither identifies the ' +
  'author of commits, nor can it be used to sign in or to receive notifications.'

/** The secondary e-mail addresses of users. */
export const userEmailsContract = {
  listOwn: endpoint({
    name: 'users.emails.list',
    method: 'GET',
    path: '/user/emails',
    paginated: true,
    response: { 200: z.array(Email) },
    auth: reading,
    docs: { summary: 'List secondary e-mail addresses of the current user' },
  }),
  showOwn: endpoint({
    name: 'users.emails.show',
    method: 'GET',
    path: '/user/emails/:email_id',
    params: own,
    response: { 200: Email },
    auth: reading,
    errors: ['not_found'],
    docs: { summary: 'Show a secondary e-mail address of the current user' },
  }),
  createOwn: endpoint({
    name: 'users.emails.create',
    method: 'POST',
    path: '/user/emails',
    body: z.object({ email: nonEmptyText(emailText) }),
    response: { 201: Email },
    auth: updating,
    errors: ['validation_failed'],
    docs: { summary: 'Add an e-mail address to the current user', description: creation },
  }),
  deleteOwn: endpoint({
    name: 'users.emails.delete',
    method: 'DELETE',
    path: '/user/emails/:email_id',
    params: own,
    response: { 204: null },
    auth: updating,
    errors: ['not_found'],
    docs: { summary: 'Delete a secondary e-mail address of the current user' },
  }),
  list: endpoint({
    name: 'users.emails.list',
    method: 'GET',
    path: '/users/:id/emails',
    params: owner,
    paginated: true,
    response: { 200: z.array(Email) },
    auth: { ...administering, ...reading },
    errors: ['not_found'],
    docs: { summary: 'List secondary e-mail addresses of a user' },
  }),
  create: endpoint({
    name: 'users.emails.create',
    method: 'POST',
    path: '/users/:id/emails',
    params: owner,
    body: z.object({
      email: nonEmptyText(emailText),
      skip_confirmation: boolean().default(false),
    }),
    response: { 201: Email },
    auth: administering,
    errors: ['not_found', 'validation_failed'],
    docs: { summary: 'Add an e-mail address to a user', description: creation },
  }),
  delete: endpoint({
    name: 'users.emails.delete',
    method: 'DELETE',
    path: '/users/:id/emails/:email_id',
    params: owner.extend({ email_id: integer({ min: 1 }) }),
    response: { 204: null },
    auth: administering,
    errors: ['not_found'],
    docs: { summary: 'Delete a secondary e-mail address of a user' },
  }),
}
