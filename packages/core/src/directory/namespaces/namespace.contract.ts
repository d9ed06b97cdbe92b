import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { optional, text } from '../../platform/contract/fields.ts'
import { Namespace } from './namespace.schema.ts'

/** Namespaces in which the caller may create projects. */
export const namespacesContract = {
  list: endpoint({
    name: 'namespaces.list',
    method: 'GET',
    path: '/namespaces',
    query: z.object(optional({ search: text() })),
    paginated: true,
    response: { 200: z.array(Namespace) },
    auth: {},
    docs: {
      summary: 'List namespaces',
      description: 'Those in which the caller may create projects.',
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
