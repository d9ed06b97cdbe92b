import { DomainError } from '@stithy/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorResponseFor, isExpected } from '../../platform/http/errors.ts'
import { sendJsonText } from '../../platform/http/json.ts'
import { ScimError, type ScimType } from './scim-error.ts'

/** The media type of SCIM (RFC 7644, section 8.1). */
export const scimMediaType = 'application/scim+json'

const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** Sends an answer that no cache may keep. */
export function sendScim(reply: FastifyReply, body: object): FastifyReply {
  reply.header('cache-control', 'no-store')
  return sendJsonText(reply, JSON.stringify(body), scimMediaType)
}

/** Sends an error as RFC 7644, section 3.12 describes it. */
export function sendScimError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, scimType, detail, headers } = describe(error)
  if (status >= 500) request.log.error({ err: error, request_id: request.id }, 'a request failed')
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="Stithy"')
  const type = scimType === undefined ? {} : { scimType }
  return sendScim(reply.code(status).headers(headers), {
    schemas: [errorSchema],
    ...type,
    detail,
    status: String(status),
  })
}

interface Description {
  status: number
  scimType?: ScimType | undefined
  detail: string
  headers: Record<string, string>
}

function describe(error: unknown): Description {
  if (error instanceof ScimError) {
    return { status: error.status, scimType: error.scimType, detail: error.message, headers: {} }
  }
  const { status, headers } = errorResponseFor(error)
  const detail =
    error instanceof DomainError && error.detail.message !== undefined
      ? error.detail.message
      : (details[status] ?? (isExpected(error) ? 'The request was refused.' : (details[500] ?? '')))
  // Bodies that cannot be read are the only malformed requests that are found outside.
  return { status, detail, headers, ...(status === 400 ? { scimType: 'invalidSyntax' } : {}) }
}

const details: Readonly<Record<number, string>> = {
  401: 'The token is missing, wrong or was revoked.',
  413: 'The request is too large.',
  415: 'The content type is not supported.',
  429: 'There were too many requests.',
  500: 'The server failed.',
  503: 'The server is overloaded.',
}
