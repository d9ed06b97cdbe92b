import { DomainError } from '@stithy/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import type { CallerUser } from '../../platform/http/caller.ts'
import { signalOf } from '../../platform/http/register.ts'
import { passwordSignIn } from '../authentication/password-sign-in.ts'
import { authenticateClient, requireClient } from './client-authentication.ts'
import { redeemCode } from './code-grant.service.ts'
import { requestedOf, scopesFor } from './granted-scopes.ts'
import { OAuthError } from './oauth-error.ts'
import { refreshTokens } from './refresh-grant.service.ts'
import { type Parameters, requiredParameter } from './request-parameters.ts'
import { grantTokens, type TokenAnswer } from './token-issue.service.ts'

/** A request to the token endpoint. */
interface TokenRequest {
  app: App
  request: FastifyRequest
  reply: FastifyReply
  parameters: Parameters
}

type Grant = (request: TokenRequest) => Promise<TokenAnswer>

const grants: Readonly<Record<string, Grant>> = {
  authorization_code: codeGrant,
  client_credentials: clientGrant,
  password: passwordGrant,
  refresh_token: refreshGrant,
}

/** The values of `grant_type`. */
export const grantTypes = Object.keys(grants)

/** Answers `POST /oauth/token` (RFC 6749, section 3.2). @throws OAuthError, DomainError */
export async function answerTokenRequest(request: TokenRequest): Promise<TokenAnswer> {
  const type = requiredParameter(request.parameters, 'grant_type')
  const grant = Object.hasOwn(grants, type) ? grants[type] : undefined
  if (grant === undefined) {
    throw new OAuthError('unsupported_grant_type', 'The grant type is not supported.')
  }
  return grant(request)
}

/** RFC 6749, section 4.1.3. */
async function codeGrant({ app, request, parameters }: TokenRequest): Promise<TokenAnswer> {
  const client = await requireClient(app, request, parameters)
  return redeemCode(app, client, {
    code: requiredParameter(parameters, 'code'),
    redirectUri: parameters('redirect_uri'),
    verifier: parameters('code_verifier'),
  })
}

/** RFC 6749, section 6. */
async function refreshGrant({ app, request, parameters }: TokenRequest): Promise<TokenAnswer> {
  const client = await authenticateClient(app, request, parameters)
  const token = requiredParameter(parameters, 'refresh_token')
  return refreshTokens(app, client, { token, scope: parameters('scope') })
}

/** RFC 6749, section 4.4: the application acts on its own behalf. */
async function clientGrant({ app, request, parameters }: TokenRequest): Promise<TokenAnswer> {
  const client = await requireClient(app, request, parameters)
  if (client.confidential !== 1) {
    throw new OAuthError('unauthorized_client', 'The client must be able to keep its secret.')
  }
  const { id: applicationId, name } = client
  const scopes = requestedOf(client, parameters)
  const now = app.now()
  const issue = { applicationId, userId: null, name, scopes, refresh: false, now }
  return app.db.transaction((tx) => grantTokens(tx, issue))
}

/** RFC 6749, section 4.3; existing clients send no application. */
async function passwordGrant(call: TokenRequest): Promise<TokenAnswer> {
  const { app, request, parameters } = call
  const client = await authenticateClient(app, request, parameters)
  const requested = requestedOf(client, parameters)
  const user = await userOf(call)
  const scopes = scopesFor(user, requested)
  const owner = { applicationId: client?.id ?? null, userId: user.id }
  const issue = { ...owner, name: client?.name ?? '', scopes, refresh: true, now: app.now() }
  return app.db.transaction((tx) => grantTokens(tx, issue))
}

/** A password is refused in the words of the sign-in, without a hint at which part was wrong. */
async function userOf({ app, request, reply, parameters }: TokenRequest): Promise<CallerUser> {
  const attempt = {
    login: requiredParameter(parameters, 'username'),
    password: requiredParameter(parameters, 'password'),
    address: request.ip,
    signal: signalOf(reply),
  }
  if (!app.settings.password_authentication_enabled_for_web) {
    throw new OAuthError('invalid_grant', 'Signing in with a password is switched off.')
  }
  return passwordSignIn(app, attempt).catch((error: unknown) => {
    const isRefusal = error instanceof DomainError && refusals.includes(error.code)
    throw isRefusal
      ? new OAuthError('invalid_grant', error.detail.message ?? 'The password was refused.')
      : error
  })
}

const refusals: readonly string[] = ['unauthorized', 'forbidden']
