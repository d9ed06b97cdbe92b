import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { nonEmptyText, optional } from '../../platform/contract/fields.ts'
import { fullPathText, shortText } from '../../platform/contract/text-options.ts'
import { maxFeatureNameLength } from './feature.rules.ts'
import { Feature, featureValue } from './feature.schema.ts'

const auth = { on: 'instance', ability: 'administer' } as const

/** Switches that clients keep on the server. */
export const featuresContract = {
  list: endpoint({
    name: 'features.list',
    method: 'GET',
    path: '/features',
    response: { 200: z.array(Feature) },
    auth,
    docs: {
      summary: 'List features',
      description: 'All of them, by name. Switches for clients: the server does nothing with them.',
    },
  }),
  set: endpoint({
    name: 'features.set',
    method: 'POST',
    path: '/features/:name',
    body: z.object({
      value: featureValue(),
      ...optional({
        feature_group: nonEmptyText({ rules: { maxLength: maxFeatureNameLength } }),
        user: nonEmptyText(shortText),
        group: nonEmptyText(fullPathText),
        project: nonEmptyText(fullPathText),
      }),
    }),
    response: { 201: Feature },
    auth,
    errors: ['bad_request', 'validation_failed'],
    docs: {
      summary: 'Set a feature',
      description:
        'Creates it if necessary. `feature_group`, `user`, `group` and `project` limit the switch ' +
        'to these, and cannot be combined with a percentage.',
    },
  }),
  delete: endpoint({
    name: 'features.delete',
    method: 'DELETE',
    path: '/features/:name',
    response: { 204: null },
    auth,
    docs: { summary: 'Delete a feature', description: 'Also succeeds if there is none.' },
  }),
}
