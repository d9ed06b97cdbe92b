import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { text } from '../contract/fields.ts'
import { CustomAttribute } from './custom-attribute.schema.ts'

const auth = { on: 'instance', ability: 'administer' } as const
const tag = 'Custom attributes'

/** The same four calls stand below users, groups and projects. */
function customAttributesOf<const Owners extends string>(owners: Owners, owner: string) {
  const one = `/${owners}/:id/custom_attributes/:key` as const
  return {
    list: endpoint({
      method: 'GET',
      path: `/${owners}/:id/custom_attributes` as const,
      paginated: true,
      response: { 200: z.array(CustomAttribute) },
      auth,
      docs: { summary: `List the custom attributes of a ${owner}`, tag },
    }),
    show: endpoint({
      method: 'GET',
      path: one,
      response: { 200: CustomAttribute },
      auth,
      errors: ['not_found'],
      docs: { summary: `Show a custom attribute of a ${owner}`, tag },
    }),
    set: endpoint({
      method: 'PUT',
      path: one,
      body: z.object({ value: text() }),
      response: { 200: CustomAttribute },
      auth,
      errors: ['validation_failed'],
      docs: { summary: `Set a custom attribute of a ${owner}`, tag },
    }),
    delete: endpoint({
      method: 'DELETE',
      path: one,
      response: { 204: null },
      auth,
      errors: ['not_found'],
      docs: { summary: `Delete a custom attribute of a ${owner}`, tag },
    }),
  }
}

/** Custom attributes of users (catalogue: projects, Custom attributes). */
export const userCustomAttributesContract = customAttributesOf('users', 'user')

/** Custom attributes of groups. */
export const groupCustomAttributesContract = customAttributesOf('groups', 'group')

/** Custom attributes of projects. */
export const projectCustomAttributesContract = customAttributesOf('projects', 'project')
