import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { nonEmptyText, optional } from '../../platform/contract/fields.ts'
import { fileOrText } from '../../platform/contract/file-or-text.ts'
import { shortText } from '../../platform/contract/text-options.ts'
import { InstancePagesDomain, PagesDomain } from './pages-domain.schema.ts'

/** Maximum length of a chain of certificates, and of a key, in characters. */
const maxPemLength = 64 * 1024

const reading = { on: 'project', ability: 'read_pages_domains' } as const
const writing = { on: 'project', ability: 'admin_pages_domains' } as const
const one = '/projects/:id/pages/domains/:domain'
const pem = optional({
  certificate: fileOrText({ max: maxPemLength }),
  key: fileOrText({ max: maxPemLength }),
})

/** Domains of the sites of projects. */
export const pagesDomainsContract = {
  listAll: endpoint({
    name: 'pages.domains.list',
    method: 'GET',
    path: '/pages/domains',
    paginated: true,
    response: { 200: z.array(InstancePagesDomain) },
    auth: { on: 'instance', ability: 'administer' },
    errors: ['not_found'],
    docs: { summary: 'List pages domains of all projects' },
  }),
  list: endpoint({
    name: 'pages.domains.list',
    method: 'GET',
    path: '/projects/:id/pages/domains',
    paginated: true,
    response: { 200: z.array(PagesDomain) },
    auth: reading,
    errors: ['not_found'],
    docs: { summary: 'List pages domains of a project', description: 'In alphabetical order.' },
  }),
  show: endpoint({
    name: 'pages.domains.show',
    method: 'GET',
    path: one,
    response: { 200: PagesDomain },
    auth: reading,
    errors: ['not_found'],
    docs: { summary: 'Show a pages domain of a project' },
  }),
  create: endpoint({
    name: 'pages.domains.create',
    method: 'POST',
    path: '/projects/:id/pages/domains',
    body: z.object({ domain: nonEmptyText(shortText), ...pem }),
    response: { 201: PagesDomain },
    auth: writing,
    errors: ['not_found', 'validation_failed'],
    docs: {
      summary: 'Create a pages domain of a project',
      description:
        '`certificate` may be followed by its intermediate certificates, each of which has issued the ' +
        'one before it; `key` belongs to the first. The key is stored encrypted, and never shown.',
    },
  }),
  update: endpoint({
    name: 'pages.domains.update',
    method: 'PUT',
    path: one,
    body: z.object(pem),
    response: { 200: PagesDomain },
    auth: writing,
    errors: ['not_found', 'validation_failed'],
    docs: {
      summary: 'Update a pages domain of a project',
      description:
        'A new certificate without a key is accepted if it has the key of the one before. Both blank ' +
        'remove them.',
    },
  }),
  delete: endpoint({
    name: 'pages.domains.delete',
    method: 'DELETE',
    path: one,
    response: { 204: null },
    auth: writing,
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Delete a pages domain of a project' },
  }),
}
