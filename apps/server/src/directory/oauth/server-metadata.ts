import { oauthScopes } from '@stithy/core'
import type { Config } from '../../platform/config/config.ts'
import { webUrl } from '../../platform/http/urls.ts'
import { challengeMethods } from './pkce.ts'
import { grantTypes } from './token-endpoint.ts'

export const metadataPath = '/.well-known/oauth-authorization-server'

/** What clients need to know of this server (RFC 8414, section 2). */
export function serverMetadata(config: Config): object {
  const clientAuthentication = ['client_secret_basic', 'client_secret_post']
  return {
    issuer: config.externalUrl,
    authorization_endpoint: webUrl(config, 'oauth/authorize'),
    token_endpoint: webUrl(config, 'oauth/token'),
    revocation_endpoint: webUrl(config, 'oauth/revoke'),
    introspection_endpoint: webUrl(config, 'oauth/introspect'),
    userinfo_endpoint: webUrl(config, 'oauth/userinfo'),
    scopes_supported: oauthScopes,
    response_types_supported: ['code', 'token'],
    response_modes_supported: ['query', 'fragment'],
    grant_types_supported: [...grantTypes, 'implicit'],
    code_challenge_methods_supported: challengeMethods,
    token_endpoint_auth_methods_supported: [...clientAuthentication, 'none'],
    revocation_endpoint_auth_methods_supported: [...clientAuthentication, 'none'],
    introspection_endpoint_auth_methods_supported: clientAuthentication,
    authorization_response_iss_parameter_supported: true,
  }
}
