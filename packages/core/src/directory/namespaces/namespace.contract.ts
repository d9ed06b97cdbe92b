import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { oneOf, optional, text } from '../../platform/contract/fields.ts'
import { Namespace } from './namespace.schema.ts'

/** Personal namespaces and groups, which contain projects. */
export const namespacesContract = {
  list: endpoint({
    name: 'namespaces.list',
    method: 'GET',
    path: '/namespaces',
    query: z.object(optional({ search: text(), permission_scope: oneOf(['create_projects']) })),
    paginated: true,
    response: { 200: z.array(Namespace) },
    auth: {},
    docs: {
      summary: 'List namespaces',
      description:
        "The caller's own and the groups that they are a member of; all for administrators. " +
        'Extension: `permission_scope`.',
    },
  }),
  show: endpoint({
    name: 'namespaces.show',
    method: 'GET',
    path: '/namespaces/:id',
    response: { 200: Namespace },
    auth: {},
    errors: ['not_found'],
    docs: { summary: 'Show a namespace', description: 'By ID or path.' },
  }),
}
