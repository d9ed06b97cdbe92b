import type { ScimGroupRow } from '@stithy/store'
import type { Config } from '../../platform/config/config.ts'
import { scimUrl } from './scim-user.presenter.ts'

const schema = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'

/** What of the protocol is supported (RFC 7643, section 5). */
export function serviceProviderConfig(config: Config, group: ScimGroupRow) {
  return {
    schemas: [schema],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: 100 },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'OAuth Bearer Token',
        description: 'The SCIM token of the group.',
        primary: true,
      },
    ],
    meta: {
      resourceType: 'ServiceProviderConfig',
      location: `${scimUrl(config, group)}/ServiceProviderConfig`,
    },
  }
}
