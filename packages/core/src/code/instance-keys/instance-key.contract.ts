import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, nonEmptyText } from '../../platform/contract/fields.ts'
import { InstanceKey, maxKeyProjects } from './instance-key.schema.ts'

const auth = { on: 'instance', ability: 'administer' } as const
const description = `A deploy key also shows up to ${maxKeyProjects} projects on which it is enabled.`

/** All SSH keys of the instance: those of users, and deploy keys. */
export const instanceKeysContract = {
  find: endpoint({
    name: 'keys.find',
    method: 'GET',
    path: '/keys',
    query: z.object({ fingerprint: nonEmptyText({ max: 255 }) }),
    response: { 200: InstanceKey },
    auth,
    errors: ['not_found', 'bad_request'],
    docs: { summary: 'Find an SSH key by its fingerprint', description },
  }),
  show: endpoint({
    name: 'keys.show',
    method: 'GET',
    path: '/keys/:id',
    params: z.object({ id: integer({ min: 1 }) }),
    response: { 200: InstanceKey },
    auth,
    errors: ['not_found'],
    docs: { summary: 'Show an SSH key with its user', description },
  }),
}
