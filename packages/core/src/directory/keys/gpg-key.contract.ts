import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, nonEmptyText } from '../../platform/contract/fields.ts'
import { GpgKey, maxGpgKeyLength } from './gpg-key.schema.ts'

const owner = z.object({ id: integer({ min: 1 }) })
const own = z.object({ key_id: integer({ min: 1 }) })
const one = owner.extend({ key_id: integer({ min: 1 }) })
const newKey = z.object({ key: nonEmptyText({ rules: { maxLength: maxGpgKeyLength } }) })
const accepted = z.object({ message: z.string() })
const reading = { scope: ['api', 'read_user'] } as const
const updating = { on: 'instance', ability: 'update_own_settings' } as const
const administering = { on: 'instance', ability: 'administer' } as const
const creation =
  'Signatures of commits are verified with it, if the e-mail address of one of its user IDs is a ' +
  'confirmed address of the user.'
const removal = 'Commits that it signed are no longer shown as verified.'

/** The GPG keys of users. */
export const userGpgKeysContract = {
  listOwn: endpoint({
    name: 'users.gpgKeys.list',
    method: 'GET',
    path: '/user/gpg_keys',
    paginated: true,
    response: { 200: z.array(GpgKey) },
    auth: reading,
    docs: { summary: 'List GPG keys of the current user' },
  }),
  showOwn: endpoint({
    name: 'users.gpgKeys.show',
    method: 'GET',
    path: '/user/gpg_keys/:key_id',
    params: own,
    response: { 200: GpgKey },
    auth: reading,
    errors: ['not_found'],
    docs: { summary: 'Show a GPG key of the current user' },
  }),
  createOwn: endpoint({
    name: 'users.gpgKeys.create',
    method: 'POST',
    path: '/user/gpg_keys',
    body: newKey,
    response: { 201: GpgKey },
    auth: updating,
    errors: ['validation_failed'],
    docs: { summary: 'Add a GPG key to the current user', description: creation },
  }),
  revokeOwn: endpoint({
    name: 'users.gpgKeys.revoke',
    method: 'POST',
    path: '/user/gpg_keys/:key_id/revoke',
    params: own,
    response: { 202: accepted },
    auth: updating,
    errors: ['not_found'],
    docs: { summary: 'Revoke a GPG key of the current user', description: removal },
  }),
  deleteOwn: endpoint({
    name: 'users.gpgKeys.delete',
    method: 'DELETE',
    path: '/user/gpg_keys/:key_id',
    params: own,
    response: { 204: null },
    auth: updating,
    errors: ['not_found'],
    docs: { summary: 'Delete a GPG key of the current user', description: removal },
  }),
  list: endpoint({
    name: 'users.gpgKeys.list',
    method: 'GET',
    path: '/users/:id/gpg_keys',
    params: owner,
    paginated: true,
    response: { 200: z.array(GpgKey) },
    auth: { ...administering, ...reading },
    errors: ['not_found'],
    docs: { summary: 'List GPG keys of a user' },
  }),
  show: endpoint({
    name: 'users.gpgKeys.show',
    method: 'GET',
    path: '/users/:id/gpg_keys/:key_id',
    params: one,
    response: { 200: GpgKey },
    auth: { ...administering, ...reading },
    errors: ['not_found'],
    docs: { summary: 'Show a GPG key of a user' },
  }),
  create: endpoint({
    name: 'users.gpgKeys.create',
    method: 'POST',
    path: '/users/:id/gpg_keys',
    params: owner,
    body: newKey,
    response: { 201: GpgKey },
    auth: administering,
    errors: ['not_found', 'validation_failed'],
    docs: { summary: 'Add a GPG key to a user', description: creation },
  }),
  revoke: endpoint({
    name: 'users.gpgKeys.revoke',
    method: 'POST',
    path: '/users/:id/gpg_keys/:key_id/revoke',
    params: one,
    response: { 202: accepted },
    auth: administering,
    errors: ['not_found'],
    docs: { summary: 'Revoke a GPG key of a user', description: removal },
  }),
  delete: endpoint({
    name: 'users.gpgKeys.delete',
    method: 'DELETE',
    path: '/users/:id/gpg_keys/:key_id',
    params: one,
    response: { 204: null },
    auth: administering,
    errors: ['not_found'],
    docs: { summary: 'Delete a GPG key of a user', description: removal },
  }),
}
