import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, integer, nonEmptyText, text } from '../../platform/contract/fields.ts'
import { maxUrlLength, nameText } from '../../platform/contract/text-options.ts'
import { Application, NewApplication } from './application.schema.ts'
import { maxRedirectUris } from './redirect-uri.rules.ts'

const auth = { on: 'instance', ability: 'administer' } as const

/** The clients of the OAuth2 provider. */
export const applicationsContract = {
  list: endpoint({
    name: 'applications.list',
    method: 'GET',
    path: '/applications',
    response: { 200: z.array(Application) },
    auth,
    docs: {
      summary: 'List applications',
      description: 'Those of the instance, oldest first, without those that users have registered.',
    },
  }),
  create: endpoint({
    name: 'applications.create',
    method: 'POST',
    path: '/applications',
    body: z.object({
      name: nonEmptyText(nameText),
      redirect_uri: nonEmptyText({ max: maxRedirectUris * (maxUrlLength + 2) }),
      scopes: text(),
      confidential: boolean().default(true),
      trusted: boolean().default(false),
    }),
    response: { 201: NewApplication },
    auth,
    errors: ['validation_failed'],
    docs: {
      summary: 'Create an application',
      description: 'The secret is only in this response.',
    },
  }),
  delete: endpoint({
    name: 'applications.delete',
    method: 'DELETE',
    path: '/applications/:id',
    params: z.object({ id: integer({ min: 1 }) }),
    response: { 204: null },
    auth,
    errors: ['not_found'],
    docs: {
      summary: 'Delete an application',
      description:
        'Its tokens stop working. `id` is not the `application_id`; it may be that of an application that a user has registered.',
    },
  }),
}
