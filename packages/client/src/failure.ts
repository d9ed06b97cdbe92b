import type { ErrorCode, FieldErrors } from '@stithy/core'
import { parseRetryAfter } from './retry.ts'
import { type FailedCall, StithyError, type StithyErrorCode } from './stithy-error.ts'

const codesByStatus: Readonly<Record<number, ErrorCode>> = {
  302: 'moved',
  304: 'not_modified',
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  409: 'conflict',
  410: 'gone',
  412: 'precondition_failed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  416: 'range_not_satisfiable',
  422: 'unprocessable',
  429: 'too_many_requests',
  503: 'unavailable',
  507: 'insufficient_storage',
}

/** The maximum length of a non-JSON body that is used as the message. */
const maxTextLength = 300

/** Reads an unsuccessful response to the end. `secrets` are removed if the body repeats them. */
export async function readFailure(
  response: Response,
  call: FailedCall,
  secrets: readonly string[],
): Promise<StithyError> {
  const { status, headers } = response
  const body = parseBody(withoutSecrets(await response.text(), secrets))
  return new StithyError(codeOf(status, body), messageOf(response, body), call, {
    status,
    body,
    fields: fieldsOf(body),
    requestId: headers.get('x-request-id'),
    retryAfter: parseRetryAfter(headers.get('retry-after'), Date.now()),
  })
}

/** The text with each secret replaced. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, '[token]'), text)
}

function parseBody(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

/** Several codes share a status; the shape of the body distinguishes them. */
function codeOf(status: number, body: unknown): StithyErrorCode {
  const { message, error } = asRecord(body)
  if (status === 400 && isRecord(message)) return 'validation_failed'
  if (status === 400 && typeof error === 'string') return 'invalid_parameter'
  if (status === 401 && error === 'invalid_token') return 'invalid_token'
  if (status === 403 && error === 'insufficient_scope') return 'insufficient_scope'
  if (status === 404 && error === '404 Not Found') return 'unknown_route'
  const code = codesByStatus[status]
  if (code !== undefined) return code
  if (status >= 500) return 'server_error'
  return status >= 400 ? 'bad_request' : 'unexpected_answer'
}

function messageOf(response: Response, body: unknown): string {
  const fallback = `${response.status} ${response.statusText}`.trim()
  if (typeof body === 'string') {
    const plain = response.headers.get('content-type')?.startsWith('text/plain') === true
    return plain && body.trim() !== '' ? body.trim().slice(0, maxTextLength) : fallback
  }
  const { message, error, error_description: description } = asRecord(body)
  if (isRecord(message)) return describeFields(fieldsOf(body)) || fallback
  if (typeof description === 'string') return description
  if (typeof message === 'string') return message
  if (Array.isArray(error)) return error.filter((text) => typeof text === 'string').join(', ')
  return typeof error === 'string' ? error : fallback
}

function describeFields(fields: FieldErrors): string {
  return Object.entries(fields)
    .flatMap(([name, texts]) => texts.map((text) => `${name} ${text}`))
    .join(', ')
}

/** Messages by field; those of embedded objects under `outer.inner`. */
function fieldsOf(body: unknown): FieldErrors {
  const { message } = asRecord(body)
  const fields = typeof message === 'string' ? noteFieldsOf(message) : message
  return isRecord(fields) ? Object.fromEntries(flatten(fields, '')) : {}
}

/** The API names the fields of a refused note in a text: `400 (Bad request) "Note {…}" not given`. */
function noteFieldsOf(message: string): unknown {
  const [start, end] = ['400 (Bad request) "Note ', '" not given']
  if (!message.startsWith(start) || !message.endsWith(end)) return undefined
  return parseBody(message.slice(start.length, -end.length))
}

function flatten(value: Record<string, unknown>, prefix: string): [string, string[]][] {
  return Object.entries(value).flatMap(([name, inner]): [string, string[]][] => {
    if (isRecord(inner)) return flatten(inner, `${prefix}${name}.`)
    return [[prefix + name, Array.isArray(inner) ? inner.map(String) : [String(inner)]]]
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}
