import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, nonEmptyText } from '../../platform/contract/fields.ts'
import { InstanceLicense, ListedInstanceLicense } from './license.schema.ts'

const auth = { on: 'instance', ability: 'administer' } as const

/** Maximum length of a license file, in characters. */
const maxLicenseLength = 100_000

/** The tier of the server, which its configuration sets, in the shape of a license. */
export const licenseContract = {
  list: endpoint({
    name: 'licenses.list',
    method: 'GET',
    path: '/licenses',
    response: { 200: z.array(ListedInstanceLicense) },
    auth,
    docs: {
      summary: 'List licenses',
      description: 'That of `GET /license`; none in the community tier.',
    },
  }),
  show: endpoint({
    name: 'license.show',
    method: 'GET',
    path: '/license',
    response: { 200: InstanceLicense },
    auth,
    errors: ['not_found'],
    docs: {
      summary: 'Show the license',
      description:
        'The plan is the configured tier, for any number of users and without an end. The ' +
        'community tier has no license.',
    },
  }),
  create: endpoint({
    name: 'license.create',
    method: 'POST',
    path: '/license',
    body: z.object({ license: nonEmptyText({ max: maxLicenseLength }) }),
    response: { 201: InstanceLicense },
    auth,
    errors: ['bad_request'],
    docs: {
      summary: 'Add a license',
      description: 'Always refused with the reason: the configuration sets the tier.',
    },
  }),
  delete: endpoint({
    name: 'license.delete',
    method: 'DELETE',
    path: '/license/:license_id',
    params: z.object({ license_id: integer({ min: 1 }) }),
    response: { 204: null },
    auth,
    errors: ['bad_request', 'not_found'],
    docs: {
      summary: 'Delete a license',
      description: 'Always refused with the reason: the configuration sets the tier.',
    },
  }),
}
