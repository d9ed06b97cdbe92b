import { DomainError, isRedirectUri, type OAuthScope } from '@stithy/core'
import { fromJsonText } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { CallerUser } from '../../platform/http/caller.ts'
import { type Client, findClient } from './client-authentication.ts'
import { requestedOf, scopesFor } from './granted-scopes.ts'
import { invalidRequest, OAuthError } from './oauth-error.ts'
import { type Challenge, challengeMethods, isChallenge } from './pkce.ts'
import { type Parameters, requiredParameter } from './request-parameters.ts'

/** The authorization endpoint (RFC 6749, section 3.1). */
export const authorizePath = '/oauth/authorize'

const responseTypes = ['code', 'token'] as const
type ResponseType = (typeof responseTypes)[number]

/** Where the user is sent back to, with a result or an error. */
export interface AuthorizationTarget {
  client: Client
  redirectUri: string
  /** As in the request; null if that had none. */
  sentRedirectUri: string | null
  state: string | undefined
  /** Tokens are returned in the fragment, which no server gets to see. */
  part: 'query' | 'fragment'
}

/** What an application asks a user for. */
export interface AuthorizationRequest {
  responseType: ResponseType
  scopes: readonly OAuthScope[]
  challenge: Challenge | undefined
}

/** A valid request with the target of its response. */
export interface AskedAuthorization extends AuthorizationRequest {
  target: AuthorizationTarget
}

/**
 * Finds the client and checks its redirect URI: until both are known, nobody is sent anywhere (RFC
 * 6749, section 4.1.2.1).
 * @throws DomainError `bad_request`, whose message the user sees
 */
export async function findTarget(app: App, parameters: Parameters): Promise<AuthorizationTarget> {
  const client = await findClient(app, read(parameters, 'client_id') ?? '')
  if (client === undefined) throw refused('The application is unknown.')
  const registered = fromJsonText<string[]>(client.redirectUris)
  const sent = read(parameters, 'redirect_uri') ?? null
  const redirectUri = sent ?? (registered.length === 1 ? registered[0] : undefined)
  if (redirectUri === undefined) throw refused('The redirect URI is missing.')
  if (!registered.some((uri) => isRedirectUri(redirectUri, uri))) {
    throw refused('The redirect URI is not one of the application.')
  }
  const part = read(parameters, 'response_type') === 'token' ? 'fragment' : 'query'
  const state = read(parameters, 'state')
  return { client, redirectUri, sentRedirectUri: sent, state, part }
}

function read(parameters: Parameters, name: string): string | undefined {
  try {
    return parameters(name)
  } catch {
    throw refused(`The parameter ${name} is invalid.`)
  }
}

function refused(message: string): DomainError {
  return new DomainError('bad_request', { message })
}

/**
 * Checks the rest of a request.
 * @throws OAuthError which is returned to the redirect URI
 */
export function readRequest(
  { client }: AuthorizationTarget,
  parameters: Parameters,
  user: CallerUser,
): AuthorizationRequest {
  const type = requiredParameter(parameters, 'response_type')
  const responseType = responseTypes.find((each) => each === type)
  if (responseType === undefined) {
    throw new OAuthError('unsupported_response_type', 'The response type is not supported.')
  }
  const scopes = scopesFor(user, requestedOf(client, parameters))
  const challenge = readChallenge(parameters)
  if (responseType === 'code' && client.confidential !== 1 && challenge === undefined) {
    throw invalidRequest('Code challenge required.')
  }
  return { responseType, scopes, challenge }
}

/** RFC 7636, section 4.3. */
function readChallenge(parameters: Parameters): Challenge | undefined {
  const value = parameters('code_challenge')
  const sent = parameters('code_challenge_method')
  if (value === undefined) {
    if (sent === undefined) return undefined
    throw invalidRequest('The parameter code_challenge is missing.')
  }
  const method = challengeMethods.find((each) => each === (sent ?? 'plain'))
  if (method === undefined) throw invalidRequest('Transform algorithm not supported.')
  if (!isChallenge(value)) throw invalidRequest('The parameter code_challenge is invalid.')
  return { value, method }
}
