import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { optional, text } from '../contract/fields.ts'
import { Namespace } from './namespace.schema.ts'

/** Namespaces that the caller may create things in (catalogue: projects, Namespaces). */
export const namespacesContract = {
  list: endpoint({
    method: 'GET',
    path: '/namespaces',
    query: z.object(optional({ search: text() })),
    paginated: true,
    response: { 200: z.array(Namespace) },
    auth: {},
    docs: { summary: 'List the namespaces of the caller', tag: 'Namespaces' },
  }),
  show: endpoint({
    method: 'GET',
    path: '/namespaces/:id',
    response: { 200: Namespace },
    auth: {},
    errors: ['not_found'],
    docs: { summary: 'Show a namespace by its id or path', tag: 'Namespaces' },
  }),
}
