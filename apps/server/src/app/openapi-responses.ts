import type { EndpointSpec, ErrorCode } from '@stithy/core'
import type { z } from 'zod'
import { ErrorBody } from '../platform/http/error-body.ts'
import { statusOf } from '../platform/http/errors.ts'
import { possibleErrors } from '../platform/http/possible-errors.ts'
import { type Json, jsonSchema, responseSchema } from './openapi-schemas.ts'

/** What an error of each status means. */
const errorTexts: Readonly<Record<number, string>> = {
  302: 'The project or group had this path before; it is found by its id',
  304: 'Nothing has changed: the entity tag is the one of the request, or it is as requested',
  400: 'A parameter is missing or invalid, or a rule forbids it',
  401: 'A valid token is missing',
  403: 'The caller may not do this',
  404: 'It does not exist, or the caller may not see it',
  405: 'The path has other methods only, or it cannot be done to this subject',
  406: 'The format is not available',
  409: 'The name is taken, or something else has been changed at the same time',
  410: 'It is gone',
  412: 'It has been changed since the date in `If-Unmodified-Since`, or is not that of `If-Match`',
  413: 'The request or the response would be too large',
  415: 'The media type or the encoding of the body is not supported',
  416: 'There are no such bytes',
  422: 'The values do not fit together, or it took too long',
  429: 'Too many requests',
  503: 'The server is busy',
  507: 'The disk of the server is full',
}

const seconds = { type: 'integer', minimum: 1 }
const count = { type: 'integer', minimum: 0 }

const retryAfter: Json = {
  'Retry-After': { description: 'Seconds until the next attempt.', schema: seconds },
}

const contentRange: Json = {
  'Content-Range': {
    description: 'Which bytes of how many they are; after 416, how many there are.',
    schema: { type: 'string' },
  },
}

const errorHeaders: Readonly<Record<number, Json>> = {
  302: { Location: { description: 'The path with the id.', schema: { type: 'string' } } },
  416: contentRange,
  405: { Allow: { description: 'The methods of the path.', schema: { type: 'string' } } },
  429: retryAfter,
  503: retryAfter,
}

const entityTag: Json = {
  ETag: {
    description: 'Changes with the response; for `If-None-Match`.',
    schema: { type: 'string' },
  },
}

/** The headers of lists; `pagination=keyset` has `X-Per-Page` and `Link` alone. */
const pageHeaders: Json = {
  'X-Page': { description: 'Number of the page.', schema: seconds },
  'X-Per-Page': { description: 'Items on a page.', schema: { ...seconds, maximum: 100 } },
  'X-Next-Page': {
    description: 'Number of the next page; empty on the last one.',
    schema: { type: 'string' },
  },
  'X-Prev-Page': {
    description: 'Number of the previous page; empty on the first one.',
    schema: { type: 'string' },
  },
  'X-Total': { description: 'Number of items on all pages.', schema: count },
  'X-Total-Pages': { description: 'Number of pages.', schema: seconds },
  Link: {
    description: 'URLs of the first, last, previous and next pages (RFC 8288).',
    schema: { type: 'string' },
  },
}

/** The responses of errors, by the name that operations refer to them by. */
export function errorResponses(endpoints: readonly EndpointSpec[]): Json {
  const statuses = new Set(endpoints.flatMap(possibleErrors).map(statusOf))
  return Object.fromEntries(
    [...statuses].toSorted((a, b) => a - b).map((status) => [`Error${status}`, error(status)]),
  )
}

/** The schema of all errors, which their responses refer to. */
export function errorSchema(): Json {
  return jsonSchema(ErrorBody, 'output')
}

function error(status: number): Json {
  // The throttles of the application settings.
  const throttled = status === 429 ? { 'text/plain': { schema: { type: 'string' } } } : {}
  const headers = errorHeaders[status]
  return {
    description: errorTexts[status] ?? 'The call was refused',
    ...(headers === undefined ? {} : { headers }),
    ...(status === 304
      ? {}
      : {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Error' } },
            ...throttled,
          },
        }),
  }
}

/** The responses of an endpoint by status: those of its contract, and every error. */
export function responses(endpoint: EndpointSpec): Json {
  const answers: Json = {}
  for (const [status, body] of Object.entries(endpoint.response)) {
    answers[status] = success(endpoint, Number(status), body)
  }
  for (const status of possibleErrors(endpoint).map((code: ErrorCode) => statusOf(code))) {
    answers[status] ??= { $ref: `#/components/responses/Error${status}` }
  }
  return answers
}

function success(endpoint: EndpointSpec, status: number, body: z.ZodType | null): Json {
  const headers = {
    ...(endpoint.method === 'GET' ? entityTag : {}),
    ...(endpoint.paginated ? pageHeaders : {}),
    ...(status === 206 ? contentRange : {}),
  }
  return {
    description: body === null && endpoint.kind !== 'raw' ? 'Done; there is no body' : 'Success',
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...content(endpoint, body),
  }
}

function content(endpoint: EndpointSpec, body: z.ZodType | null): Json {
  if (endpoint.kind === 'raw') {
    const types = endpoint.contentTypes ?? []
    return { content: Object.fromEntries(types.map((type) => [type, {}])) }
  }
  if (body === null) return {}
  return { content: { 'application/json': { schema: responseSchema(body) } } }
}
