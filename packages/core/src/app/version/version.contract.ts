import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'

export const Version = z.object({
  version: z.string(),
  revision: z.string(),
})

export const versionContract = {
  show: endpoint({
    name: 'version.show',
    method: 'GET',
    path: '/version',
    response: { 200: Version },
    auth: {},
    docs: { summary: 'Show the version of the server' },
  }),
}
