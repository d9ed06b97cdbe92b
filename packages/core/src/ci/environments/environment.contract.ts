import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import {
  clearableText,
  integer,
  nonEmptyText,
  oneOf,
  optional,
  type TextOptions,
  text,
} from '../../platform/contract/fields.ts'
import { maxNameLength } from '../../platform/contract/text-options.ts'
import { linkPattern } from '../../platform/contract/web-urls.ts'
import { environmentNameText, environmentStates, externalUrlSchemes } from './environment.rules.ts'
import { Environment, EnvironmentDetails } from './environment.schema.ts'

const environments = '/projects/:id/environments'
const one = `${environments}/:environment_id` as const
const params = z.object({ environment_id: integer({ min: 1 }) })

/** None, as null. */
const blank = String.raw`^\s*$`

const addressOptions: TextOptions = {
  rules: {
    maxLength: maxNameLength,
    format: 'uri',
    pattern: `${blank}|${linkPattern(externalUrlSchemes)}`,
  },
}

/** Refused, whatever it is: read as a text to be refused by the rules of environments. */
const refusedSlug = text().meta({ wire: { not: {} }, blankIsAbsent: false }) as z.ZodType<
  string,
  never
>

const fields = optional({ slug: refusedSlug, external_url: clearableText(addressOptions) })
const read = { on: 'project', ability: 'read_environments' } as const
const administer = { on: 'project', ability: 'admin_environments' } as const

/** Environments that projects are deployed to. */
export const environmentsContract = {
  list: endpoint({
    name: 'environments.list',
    method: 'GET',
    path: environments,
    query: z.object(optional({ name: text(), search: text(), states: oneOf(environmentStates) })),
    constraints: [{ mutuallyExclusive: ['name', 'search'] }],
    paginated: true,
    response: { 200: z.array(Environment) },
    auth: read,
    docs: { summary: 'List environments of a project', description: 'Oldest first.' },
  }),
  show: endpoint({
    name: 'environments.show',
    method: 'GET',
    path: one,
    params,
    response: { 200: EnvironmentDetails },
    auth: read,
    errors: ['not_found'],
    docs: { summary: 'Show an environment, with its last deployment' },
  }),
  create: endpoint({
    name: 'environments.create',
    method: 'POST',
    path: environments,
    body: z.object({ name: nonEmptyText(environmentNameText), ...fields }),
    response: { 201: Environment },
    auth: { on: 'project', ability: 'create_environments' },
    errors: ['validation_failed'],
    docs: {
      summary: 'Create an environment',
      description: 'The slug is generated from the name; one that is sent is refused.',
    },
  }),
  update: endpoint({
    name: 'environments.update',
    method: 'PUT',
    path: one,
    params,
    body: z.object({ name: nonEmptyText(environmentNameText).optional(), ...fields }),
    response: { 200: Environment },
    auth: administer,
    errors: ['not_found', 'validation_failed'],
    docs: { summary: 'Update an environment', description: 'The slug stays.' },
  }),
  remove: endpoint({
    name: 'environments.delete',
    method: 'DELETE',
    path: one,
    params,
    response: { 204: null },
    auth: administer,
    errors: ['not_found', 'precondition_failed'],
    docs: {
      summary: 'Delete an environment',
      description: 'Its deployments are deleted with it, also while it is available.',
    },
  }),
  stop: endpoint({
    name: 'environments.stop',
    method: 'POST',
    path: `${one}/stop` as const,
    params,
    response: { 200: Environment },
    auth: administer,
    errors: ['not_found'],
    docs: {
      summary: 'Stop an environment',
      description: 'The next successful deployment makes it available again.',
    },
  }),
}
