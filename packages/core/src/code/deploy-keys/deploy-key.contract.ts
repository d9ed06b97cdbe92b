import { z } from 'zod'
import { maxKeyLength } from '../../directory/keys/ssh-key.rules.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, integer, nonEmptyText, optional } from '../../platform/contract/fields.ts'
import { nameText } from '../../platform/contract/text-options.ts'
import { DeployKey, ProjectDeployKey } from './deploy-key.schema.ts'

const one = z.object({ key_id: integer({ min: 1 }) })
const newKey = {
  title: nonEmptyText(nameText),
  key: nonEmptyText({ rules: { maxLength: maxKeyLength } }),
}
const reading = { on: 'project', ability: 'read_deploy_keys' } as const
const writing = { on: 'project', ability: 'admin_deploy_keys' } as const
const administering = { on: 'instance', ability: 'administer' } as const

/** Deploy keys of projects, and the list of all of them for administrators. */
export const deployKeysContract = {
  all: endpoint({
    name: 'deployKeys.list',
    method: 'GET',
    path: '/deploy_keys',
    paginated: true,
    response: { 200: z.array(DeployKey) },
    auth: administering,
    docs: { summary: 'List deploy keys of all projects' },
  }),
  createPublic: endpoint({
    name: 'deployKeys.create',
    method: 'POST',
    path: '/deploy_keys',
    body: z.object(newKey),
    response: { 201: DeployKey },
    auth: administering,
    errors: ['validation_failed'],
    docs: { summary: 'Create a public deploy key', description: 'Every project may enable it.' },
  }),
  removePublic: endpoint({
    name: 'deployKeys.delete',
    method: 'DELETE',
    path: '/deploy_keys/:key_id',
    params: one,
    response: { 204: null },
    auth: administering,
    errors: ['not_found'],
    docs: { summary: 'Delete a deploy key from all projects' },
  }),
  list: endpoint({
    name: 'deployKeys.list',
    method: 'GET',
    path: '/projects/:id/deploy_keys',
    paginated: true,
    response: { 200: z.array(ProjectDeployKey) },
    auth: reading,
    docs: { summary: 'List deploy keys of a project' },
  }),
  show: endpoint({
    name: 'deployKeys.show',
    method: 'GET',
    path: '/projects/:id/deploy_keys/:key_id',
    params: one,
    response: { 200: ProjectDeployKey },
    auth: reading,
    errors: ['not_found'],
    docs: { summary: 'Show a deploy key of a project' },
  }),
  create: endpoint({
    name: 'deployKeys.create',
    method: 'POST',
    path: '/projects/:id/deploy_keys',
    body: z.object({ ...newKey, can_push: boolean().default(false) }),
    response: { 201: ProjectDeployKey },
    auth: writing,
    errors: ['validation_failed'],
    docs: {
      summary: 'Create a deploy key for a project',
      description:
        'If the project already has the key, the existing one is answered. A key that is ' +
        'public, or that the caller can see in another project, is enabled for this project ' +
        'and keeps its title.',
    },
  }),
  update: endpoint({
    name: 'deployKeys.update',
    method: 'PUT',
    path: '/projects/:id/deploy_keys/:key_id',
    params: one,
    body: z.object(optional({ title: nonEmptyText(nameText), can_push: boolean() })),
    constraints: [{ atLeastOneOf: ['title', 'can_push'] }],
    response: { 200: ProjectDeployKey },
    auth: writing,
    errors: ['not_found', 'validation_failed'],
    docs: {
      summary: 'Update a deploy key of a project',
      description: 'Public keys can only be changed by administrators.',
    },
  }),
  remove: endpoint({
    name: 'deployKeys.delete',
    method: 'DELETE',
    path: '/projects/:id/deploy_keys/:key_id',
    params: one,
    response: { 204: null },
    auth: writing,
    errors: ['not_found', 'precondition_failed'],
    docs: {
      summary: 'Delete a deploy key from a project',
      description: 'A private key that no other project uses is deleted entirely.',
    },
  }),
  enable: endpoint({
    name: 'deployKeys.enable',
    method: 'POST',
    path: '/projects/:id/deploy_keys/:key_id/enable',
    params: one,
    response: { 201: DeployKey },
    auth: writing,
    errors: ['not_found'],
    docs: {
      summary: 'Enable a deploy key for a project',
      description: 'The key is public, or the caller can see it in another project.',
    },
  }),
}
