import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import { readText } from '../../platform/http/body-parsers.ts'
import { parseQuery } from '../../platform/http/nested-params.ts'
import { bearerToken } from '../authentication/authenticate-request.ts'
import { authenticateClient, requireClient } from './client-authentication.ts'
import { invalidClient, invalidRequest } from './oauth-error.ts'
import { sendOAuth, sendOAuthError } from './oauth-replies.ts'
import { readParameters, repeatedName, requiredParameter } from './request-parameters.ts'
import { metadataPath, serverMetadata } from './server-metadata.ts'
import { answerTokenRequest } from './token-endpoint.ts'
import { introspect, requireActiveToken, revokeByToken } from './token-inspection.service.ts'
import { describeUser } from './user-info.ts'

/** The largest body that these endpoints read, in bytes. */
const bodyLimit = 32 * 1024

/**
 * Registers what applications call: token, revocation, introspection, token info and user info.
 * Register it in a scope with parsers of bodies.
 */
export function registerOAuthEndpoints(scope: FastifyInstance, app: App): void {
  scope.setErrorHandler((error, request, reply) => sendOAuthError(error, request, reply))
  readFormsOnce(scope)
  scope.post('/oauth/token', { bodyLimit }, async (request, reply) => {
    const parameters = readParameters(request.body)
    return sendOAuth(reply, await answerTokenRequest({ app, request, reply, parameters }))
  })
  registerInspection(scope, app)
  registerUserInfo(scope, app)
  scope.get(metadataPath, async (_request, reply) => sendOAuth(reply, serverMetadata(app.config)))
}

/** A form must not repeat a parameter (RFC 6749, section 3.2). */
function readFormsOnce(scope: FastifyInstance): void {
  const type = 'application/x-www-form-urlencoded'
  scope.removeContentTypeParser(type)
  const asBytes = { parseAs: 'buffer' } as const
  scope.addContentTypeParser(type, asBytes, async (request: FastifyRequest, bytes: Buffer) => {
    const text = readText(request, bytes)
    const repeated = repeatedName(text)
    if (repeated !== undefined) throw invalidRequest('A parameter is repeated.')
    return parseQuery(text)
  })
}

function registerInspection(scope: FastifyInstance, app: App): void {
  scope.post('/oauth/revoke', { bodyLimit }, async (request, reply) => {
    const parameters = readParameters(request.body)
    const client = await authenticateClient(app, request, parameters)
    await revokeByToken(app, client, requiredParameter(parameters, 'token'))
    return sendOAuth(reply, {})
  })
  scope.post('/oauth/introspect', { bodyLimit }, async (request, reply) => {
    const parameters = readParameters(request.body)
    const client = await requireClient(app, request, parameters)
    // Who has no secret could try tokens on behalf of any public client.
    if (client.confidential !== 1) throw invalidClient()
    return sendOAuth(reply, await introspect(app, client, requiredParameter(parameters, 'token')))
  })
}

function registerUserInfo(scope: FastifyInstance, app: App): void {
  scope.get('/oauth/token/info', async (request, reply) => {
    const token = await requireActiveToken(app, sentToken(request))
    const expiresIn = Math.floor((token.expiresAt - app.now()) / 1000)
    return sendOAuth(reply, {
      resource_owner_id: token.userId,
      scope: token.scopes,
      expires_in: expiresIn,
      application: { uid: token.applicationUid },
      created_at: Math.floor(token.createdAt / 1000),
      // The names of older servers.
      scopes: token.scopes,
      expires_in_seconds: expiresIn,
    })
  })
  scope.route({
    method: ['GET', 'POST'],
    url: '/oauth/userinfo',
    bodyLimit,
    handler: async (request, reply) => {
      const token = await requireActiveToken(app, sentToken(request))
      return sendOAuth(reply, await describeUser(app, token))
    },
  })
}

/** The access token of a request: in the header, the query or the body (RFC 6750, section 2). */
function sentToken(request: FastifyRequest): string | undefined {
  return (
    bearerToken(request.headers.authorization) ??
    readParameters(request.query)('access_token') ??
    readParameters(request.body)('access_token')
  )
}
