import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { boolean, filledText, integer, optional } from '../contract/fields.ts'
import { DeployKey, ProjectDeployKey } from './deploy-key.schema.ts'

const tag = 'Deploy keys'
const one = z.object({ key_id: integer({ min: 1 }) })
const newKey = { title: filledText(), key: filledText() }
const reading = { on: 'project', ability: 'read_deploy_keys' } as const
const writing = { on: 'project', ability: 'admin_deploy_keys' } as const
const administering = { on: 'instance', ability: 'administer' } as const

/** Deploy keys of projects, and all of them for administrators (catalogue: repository, 11). */
export const deployKeysContract = {
  all: endpoint({
    method: 'GET',
    path: '/deploy_keys',
    paginated: true,
    response: { 200: z.array(DeployKey) },
    auth: administering,
    docs: { summary: 'List the deploy keys of all projects', tag },
  }),
  createPublic: endpoint({
    method: 'POST',
    path: '/deploy_keys',
    body: z.object(newKey),
    response: { 201: DeployKey },
    auth: administering,
    errors: ['validation_failed'],
    docs: { summary: 'Create a public deploy key, which every project may enable', tag },
  }),
  removePublic: endpoint({
    method: 'DELETE',
    path: '/deploy_keys/:key_id',
    params: one,
    response: { 204: null },
    auth: administering,
    errors: ['not_found'],
    docs: { summary: 'Remove a deploy key from all projects', tag },
  }),
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/deploy_keys',
    paginated: true,
    response: { 200: z.array(ProjectDeployKey) },
    auth: reading,
    docs: { summary: 'List the deploy keys of a project', tag },
  }),
  show: endpoint({
    method: 'GET',
    path: '/projects/:id/deploy_keys/:key_id',
    params: one,
    response: { 200: ProjectDeployKey },
    auth: reading,
    errors: ['not_found'],
    docs: { summary: 'Show a deploy key of a project', tag },
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects/:id/deploy_keys',
    body: z.object({ ...newKey, can_push: boolean().default(false) }),
    response: { 201: ProjectDeployKey },
    auth: writing,
    errors: ['validation_failed'],
    docs: {
      summary: 'Add a deploy key to a project',
      tag,
      description:
        'A key that is on the project already is answered as it is. One that is public, or known from another project that the caller can see, is linked and keeps its title.',
    },
  }),
  update: endpoint({
    method: 'PUT',
    path: '/projects/:id/deploy_keys/:key_id',
    params: one,
    body: z.object(optional({ title: filledText(), can_push: boolean() })),
    response: { 200: ProjectDeployKey },
    auth: writing,
    errors: ['not_found', 'validation_failed'],
    docs: {
      summary: 'Change a deploy key of a project',
      tag,
      description: 'Public keys are changed by administrators only.',
    },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/projects/:id/deploy_keys/:key_id',
    params: one,
    response: { 204: null },
    auth: writing,
    errors: ['not_found', 'precondition_failed'],
    docs: {
      summary: 'Remove a deploy key from a project',
      tag,
      description: 'A private key that no other project uses is removed for good.',
    },
  }),
  enable: endpoint({
    method: 'POST',
    path: '/projects/:id/deploy_keys/:key_id/enable',
    params: one,
    response: { 201: DeployKey },
    auth: writing,
    errors: ['not_found'],
    docs: {
      summary: 'Enable a deploy key that is public or known from another project',
      tag,
      description: 'The caller must be able to see the key there.',
    },
  }),
}
