import { fastifyCookie } from '@fastify/cookie'
import { anonymous, DomainError, forbidden, invalidParameter, notFound } from '@stithy/core'
import type { FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import { type Caller, callerOf } from '../../platform/http/call.ts'
import type { CallerUser } from '../../platform/http/caller.ts'
import type { Params } from '../../platform/http/nested-params.ts'
import { acceptSession, authenticateToken, findSudoUser } from './authenticate.ts'
import { takeSession } from './handed-session.ts'
import { findSession } from './session.ts'
import { sessionCookie } from './session-cookie.ts'
import { assertTermsAccepted } from './terms.ts'

const anonymousCaller: Caller = { facts: anonymous, user: null, scopes: [] }

/**
 * Identifies the caller. Headers take precedence over parameters, a private token over a bearer
 * token, and both over the session cookie; an invalid token is an error, never treated as
 * anonymous.
 * @throws DomainError `unauthorized`, `invalid_token`, `forbidden`, `insufficient_scope`,
 *   `not_found`.
 */
export async function authenticate(
  app: App,
  request: FastifyRequest,
  params: Params,
): Promise<Caller> {
  const token = findToken(request, params)
  const sudo = findSudo(request, params)
  if (token === undefined) {
    const caller = await authenticateBySession(app, request)
    // Ignoring `sudo` would apply the request to the wrong account.
    if (caller.user !== null && sudo !== undefined) throw forbidden('Only tokens can use sudo')
    if (caller.user !== null) checkTerms(app, request, caller.user)
    return caller
  }
  const found = await authenticateToken(app, token)
  checkTerms(app, request, found.user)
  const caller = callerOf(found.user, found.scopes)
  return sudo === undefined ? caller : actAs(app, caller, sudo)
}

/** Administrators may always call what they can change the terms with. */
const settingsPath = '/api/v4/application/settings'

/** @throws DomainError `forbidden` for a user who has yet to accept the terms of service */
function checkTerms(app: App, request: FastifyRequest, user: CallerUser): void {
  if (!app.settings.enforce_terms) return
  if (user.admin && request.routeOptions.url === settingsPath) return
  assertTermsAccepted(app, user)
}

function findSudo({ headers }: FastifyRequest, params: Params): string | undefined {
  const sudo = headers.sudo ?? params.sudo
  if (sudo === undefined || sudo === '' || sudo === null) return undefined
  if (typeof sudo !== 'string' && typeof sudo !== 'number')
    throw invalidParameter('sudo is invalid')
  return String(sudo)
}

function findToken(request: FastifyRequest, params: Params): string | undefined {
  const { headers } = request
  const candidates = [
    headers['private-token'],
    bearerToken(headers.authorization),
    params.private_token,
    params.access_token,
  ]
  return candidates.find((value): value is string => typeof value === 'string' && value !== '')
}

/** The token of a header `Authorization: Bearer <token>` (RFC 6750, section 2.1). */
export function bearerToken(header: string | undefined): string | undefined {
  const match = header === undefined ? null : /^Bearer +(\S+) *$/i.exec(header)
  return match?.[1]
}

async function authenticateBySession(app: App, request: FastifyRequest): Promise<Caller> {
  const cookie = sentCookie(request)
  if (cookie === undefined) return anonymousCaller
  const safe = request.method === 'GET' || request.method === 'HEAD'
  const csrf = request.headers['x-csrf-token']
  const session = takeSession(request) ?? (await findSession(app, cookie))
  if (session === undefined) return anonymousCaller
  const found = acceptSession(app, session, safe ? undefined : String(csrf ?? ''))
  return found === undefined ? anonymousCaller : callerOf(found.user, found.scopes)
}

function sentCookie({ headers }: FastifyRequest): string | undefined {
  return headers.cookie === undefined
    ? undefined
    : fastifyCookie.parse(headers.cookie)[sessionCookie]
}

/** Switches to the user named by `sudo`; for administrators with a token of scope `sudo`. */
async function actAs(app: App, caller: Caller, name: string): Promise<Caller> {
  if (!caller.facts.admin) throw forbidden('Must be admin to use sudo')
  if (!caller.scopes.includes('sudo')) {
    throw new DomainError('insufficient_scope', { scopes: ['sudo'] })
  }
  const user = await findSudoUser(app, name)
  if (user === undefined) throw notFound(`User with ID or username '${name}'`)
  const acting = callerOf(user, caller.scopes)
  return caller.user === null ? acting : { ...acting, impersonatedBy: caller.user.username }
}
