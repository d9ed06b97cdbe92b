import { DomainError } from '@stithy/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendError } from '../../platform/http/errors.ts'
import { sendJsonText } from '../../platform/http/json.ts'
import { signInHeaders } from '../authentication/password-sign-in.ts'
import { invalidRequest, OAuthError, type OAuthErrorCode } from './oauth-error.ts'

/** 400, but for: */
const statuses: Readonly<Partial<Record<OAuthErrorCode, number>>> = {
  insufficient_scope: 403,
  invalid_client: 401,
  // As existing servers answer; clients read the code.
  invalid_grant: 401,
  invalid_token: 401,
}

const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' }

/** Sends an answer that no cache may keep (RFC 6749, section 5.1). */
export function sendOAuth(reply: FastifyReply, body: object): FastifyReply {
  return sendJsonText(reply.headers(uncached), JSON.stringify(body))
}

/** Sends an error as OAuth2 clients expect it (RFC 6749, section 5.2). */
export function sendOAuthError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): unknown {
  const known = asOAuthError(error)
  if (known === undefined) return sendError(error, request, reply.headers(signInHeaders(error)))
  const { code, message } = known
  const status = statuses[code] ?? 400
  if (status === 401 || status === 403) {
    reply.header('www-authenticate', challengeFor(known, request))
  }
  return sendOAuth(reply.code(status), { error: code, error_description: message })
}

const unreadable: ReadonlySet<string> = new Set(['invalid_parameter', 'unsupported_media_type'])

function asOAuthError(error: unknown): OAuthError | undefined {
  if (error instanceof OAuthError) return error
  if (!(error instanceof DomainError) || !unreadable.has(error.code)) return undefined
  return invalidRequest('The parameters could not be read.')
}

/** The scheme that the client has used, for a client that used one (RFC 6749, section 5.2). */
function challengeFor({ code, message }: OAuthError, { headers }: FastifyRequest): string {
  const isBasic = /^basic /i.test(headers.authorization ?? '')
  if (code === 'invalid_client' && isBasic) return 'Basic realm="Stithy"'
  return `Bearer realm="Stithy", error="${code}", error_description="${message}"`
}
