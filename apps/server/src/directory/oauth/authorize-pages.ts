import { DomainError, withParameters } from '@stithy/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import type { Session } from '../authentication/session.ts'
import { withSession } from '../sign-in/browser.ts'
import { formText } from '../sign-in/form.ts'
import {
  type AskedAuthorization,
  type AuthorizationTarget,
  authorizePath,
  findTarget,
  readRequest,
} from './authorization-request.ts'
import { issueCode } from './code-grant.service.ts'
import { showConsent } from './consent-page.ts'
import { invalidRequest, OAuthError } from './oauth-error.ts'
import { type Parameters, readParameters, repeatedName } from './request-parameters.ts'
import { sendBack } from './send-back.ts'
import { grantTokens } from './token-issue.service.ts'

/** Registers `GET` and `POST /oauth/authorize`, for users who are signed in. */
export function registerAuthorizePages(scope: FastifyInstance, app: App): void {
  scope.get(
    authorizePath,
    withSession(async (request, reply, session) => {
      const parameters = readOnce(request)
      return answer({ app, request, reply, session, parameters }, async (asked) => {
        if (skipsConsent(asked.target)) return approve(app, session, asked)
        return showConsent(reply, session, asked)
      })
    }),
  )
  scope.post(
    authorizePath,
    withSession(async (request, reply, session) => {
      const parameters = readParameters(request.body)
      return answer({ app, request, reply, session, parameters }, async (asked) => {
        if (formText(request.body, 'decision') === 'allow') return approve(app, session, asked)
        throw new OAuthError('access_denied', 'The resource owner denied the request.')
      })
    }),
  )
}

interface Exchange {
  app: App
  request: FastifyRequest
  reply: FastifyReply
  session: Session
  parameters: Parameters
}

/** The parameters of a response. */
type Response = Record<string, string | undefined>

/** Returns what `decide` does, or its error, to the application; or shows the page it has sent. */
async function answer(
  { app, request, reply, session, parameters }: Exchange,
  decide: (asked: AskedAuthorization) => Promise<Response | FastifyReply>,
): Promise<FastifyReply> {
  const target = await findTarget(app, parameters)
  let response: Response
  try {
    const asked = { target, ...readRequest(target, parameters, session.user) }
    const result = await decide(asked)
    if (isReply(result, reply)) return result
    response = result
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    response = { error: error.code, error_description: error.message }
  }
  const { redirectUri, state, part, client } = target
  // The issuer tells a client of several servers whose response this is (RFC 9207).
  const parts = { ...response, state, iss: app.config.externalUrl }
  const location = withParameters(redirectUri, parts, part)
  return sendBack(request, reply, { location, session, name: client.name })
}

function isReply(result: Response | FastifyReply, reply: FastifyReply): result is FastifyReply {
  return result === reply
}

/** A repeated parameter is an error (RFC 6749, section 3.1), also for who would be sent back. */
function readOnce(request: FastifyRequest): Parameters {
  const [, query = ''] = request.url.split('?')
  const parameters = readParameters(request.query)
  const repeated = repeatedName(query)
  if (repeated === undefined) return parameters
  if (['client_id', 'redirect_uri', 'response_type', 'state'].includes(repeated)) {
    throw new DomainError('bad_request', { message: `The parameter ${repeated} is repeated.` })
  }
  return (name) => {
    if (name === repeated) throw invalidRequest(`The parameter ${name} is repeated.`)
    return parameters(name)
  }
}

/**
 * Whether a user isn't asked: for a trusted application that no other one can pose as (RFC 8252,
 * section 8.6).
 */
function skipsConsent({ client, redirectUri }: AuthorizationTarget): boolean {
  return client.trusted === 1 && (client.confidential === 1 || redirectUri.startsWith('https:'))
}

async function approve(
  app: App,
  { user }: Session,
  { target, responseType, scopes, challenge }: AskedAuthorization,
): Promise<Response> {
  const { client, sentRedirectUri: redirectUri } = target
  const grant = { applicationId: client.id, userId: user.id, scopes }
  if (responseType === 'code') {
    return { code: await issueCode(app, { ...grant, redirectUri, challenge }) }
  }
  const issue = { ...grant, name: client.name, refresh: false, now: app.now() }
  const tokens = await app.db.transaction((tx) => grantTokens(tx, issue))
  return {
    access_token: tokens.access_token,
    token_type: tokens.token_type,
    expires_in: String(tokens.expires_in),
    scope: tokens.scope,
  }
}
