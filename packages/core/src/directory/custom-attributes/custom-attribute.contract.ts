import { z } from 'zod'
import type { TokenScope } from '../../platform/access/scope.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { text } from '../../platform/contract/fields.ts'
import { CustomAttribute } from './custom-attribute.schema.ts'

/** Maximum length of the values of custom attributes, in characters. */
export const maxAttributeValueLength = 65_536

const auth = { on: 'instance', ability: 'administer' } as const

/** The endpoints that users, groups and projects have in common. */
function customAttributesOf<const Owners extends string>(
  owners: Owners,
  owner: string,
  scope: readonly TokenScope[] = ['api'],
) {
  const reading = { ...auth, scope }
  const one = `/${owners}/:id/custom_attributes/:key` as const
  return {
    list: endpoint({
      name: 'customAttributes.list',
      method: 'GET',
      path: `/${owners}/:id/custom_attributes` as const,
      paginated: true,
      response: { 200: z.array(CustomAttribute) },
      auth: reading,
      docs: { summary: `List custom attributes of a ${owner}` },
    }),
    show: endpoint({
      name: 'customAttributes.show',
      method: 'GET',
      path: one,
      response: { 200: CustomAttribute },
      auth: reading,
      errors: ['not_found'],
      docs: { summary: `Show a custom attribute of a ${owner}` },
    }),
    set: endpoint({
      name: 'customAttributes.set',
      method: 'PUT',
      path: one,
      body: z.object({
        value: text({ rules: { minLength: 1, maxLength: maxAttributeValueLength } }),
      }),
      response: { 200: CustomAttribute },
      auth,
      errors: ['validation_failed'],
      docs: { summary: `Set a custom attribute of a ${owner}` },
    }),
    delete: endpoint({
      name: 'customAttributes.delete',
      method: 'DELETE',
      path: one,
      response: { 204: null },
      auth,
      errors: ['not_found'],
      docs: { summary: `Delete a custom attribute of a ${owner}` },
    }),
  }
}

/** Custom attributes of users. */
export const userCustomAttributesContract = customAttributesOf('users', 'user', [
  'api',
  'read_user',
])

/** Custom attributes of groups. */
export const groupCustomAttributesContract = customAttributesOf('groups', 'group')

/** Custom attributes of projects. */
export const projectCustomAttributesContract = customAttributesOf('projects', 'project')
