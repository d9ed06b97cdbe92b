import { z } from 'zod'
import { clearableDate } from '../../platform/contract/date-fields.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, nonEmptyText } from '../../platform/contract/fields.ts'
import { nameText } from '../../platform/contract/text-options.ts'
import { maxKeyLength } from './ssh-key.rules.ts'
import { SshKey } from './ssh-key.schema.ts'

const owner = z.object({ id: integer({ min: 1 }) })
const own = z.object({ key_id: integer({ min: 1 }) })
const one = owner.extend({ key_id: integer({ min: 1 }) })
const newKey = z.object({
  title: nonEmptyText(nameText),
  key: nonEmptyText({ rules: { maxLength: maxKeyLength } }),
  expires_at: clearableDate().optional(),
})
const reading = { scope: ['api', 'read_user'] } as const
const updating = { on: 'instance', ability: 'update_own_settings' } as const
const administering = { on: 'instance', ability: 'administer' } as const
const creation =
  'In the one-line form of OpenSSH. A key can be used once on the whole instance, as the key of ' +
  'a user or as a deploy key.'

/** The SSH keys of users. */
export const userKeysContract = {
  listOwn: endpoint({
    name: 'users.keys.list',
    method: 'GET',
    path: '/user/keys',
    paginated: true,
    response: { 200: z.array(SshKey) },
    auth: reading,
    docs: { summary: 'List SSH keys of the current user' },
  }),
  showOwn: endpoint({
    name: 'users.keys.show',
    method: 'GET',
    path: '/user/keys/:key_id',
    params: own,
    response: { 200: SshKey },
    auth: reading,
    errors: ['not_found'],
    docs: { summary: 'Show an SSH key of the current user' },
  }),
  createOwn: endpoint({
    name: 'users.keys.create',
    method: 'POST',
    path: '/user/keys',
    body: newKey,
    response: { 201: SshKey },
    auth: updating,
    errors: ['validation_failed'],
    docs: { summary: 'Add an SSH key to the current user', description: creation },
  }),
  deleteOwn: endpoint({
    name: 'users.keys.delete',
    method: 'DELETE',
    path: '/user/keys/:key_id',
    params: own,
    response: { 204: null },
    auth: updating,
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Delete an SSH key of the current user' },
  }),
  list: endpoint({
    name: 'users.keys.list',
    method: 'GET',
    path: '/users/:id/keys',
    params: owner,
    paginated: true,
    response: { 200: z.array(SshKey) },
    auth: reading,
    errors: ['not_found'],
    docs: { summary: 'List SSH keys of a user' },
  }),
  show: endpoint({
    name: 'users.keys.show',
    method: 'GET',
    path: '/users/:id/keys/:key_id',
    params: one,
    response: { 200: SshKey },
    auth: reading,
    errors: ['not_found'],
    docs: { summary: 'Show an SSH key of a user' },
  }),
  create: endpoint({
    name: 'users.keys.create',
    method: 'POST',
    path: '/users/:id/keys',
    params: owner,
    body: newKey,
    response: { 201: SshKey },
    auth: administering,
    errors: ['not_found', 'validation_failed'],
    docs: { summary: 'Add an SSH key to a user', description: creation },
  }),
  delete: endpoint({
    name: 'users.keys.delete',
    method: 'DELETE',
    path: '/users/:id/keys/:key_id',
    params: one,
    response: { 204: null },
    auth: administering,
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Delete an SSH key of a user' },
  }),
}
