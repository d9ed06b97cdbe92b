/**
 * The codes of all errors. HTTP statuses and bodies belong to the HTTP layer alone; the client
 * parses the same codes.
 */
export const errorCodes = [
  'moved',
  'not_modified',
  'invalid_parameter',
  'validation_failed',
  'bad_request',
  'unauthorized',
  'invalid_token',
  'forbidden',
  'insufficient_scope',
  'not_found',
  'unknown_route',
  'method_not_allowed',
  'not_acceptable',
  'conflict',
  'gone',
  'precondition_failed',
  'payload_too_large',
  'unsupported_media_type',
  'range_not_satisfiable',
  'unprocessable',
  'too_many_requests',
  'insufficient_storage',
  'unavailable',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** Validation errors by field, as v4 clients expect them: `{ title: ['is too long'] }`. */
export type FieldErrors = Record<string, string[]>

export interface ErrorDetail {
  /** One sentence for the caller; for `not_found` the name of the missing resource (`Project`). */
  message?: string
  /** For `forbidden`, `conflict` and `unprocessable`: full sentences, in place of `message`. */
  reasons?: readonly string[]
  /** For `validation_failed`, and for `conflict` in place of `message`. */
  fields?: FieldErrors
  /**
   * For `unprocessable`: the text or texts under `error`, in place of `message`; for `bad_request`
   * what is inside `message`.
   */
  error?: string | readonly string[]
  /** For `insufficient_scope`: the scopes that would suffice. */
  scopes?: readonly string[]
  /** For `moved`: the id of what is at another path now. */
  movedId?: number
  /** For `method_not_allowed`: the methods that exist. */
  methods?: readonly string[]
  /** For `range_not_satisfiable`: the bytes that there are. */
  size?: number
  /** For `too_many_requests`: the text that is answered instead of JSON. */
  text?: string
  /** For `too_many_requests` and `unavailable`: seconds until the next attempt. */
  retryAfter?: number
}

/** The one error that rules, stores and services throw on purpose. */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly detail: ErrorDetail

  constructor(code: ErrorCode, detail: ErrorDetail = {}) {
    super(detail.message ?? code)
    this.name = 'DomainError'
    this.code = code
    this.detail = detail
  }
}

/** `notFound('Project')` returns `404 Project Not Found`. */
export function notFound(thing: string): DomainError {
  return new DomainError('not_found', { message: thing })
}

/** `forbidden()` returns `403 Forbidden`; with a reason, `403 Forbidden - reason`. */
export function forbidden(reason?: string): DomainError {
  return new DomainError('forbidden', reason === undefined ? {} : { message: reason })
}

/** Invalid values of some fields; the body is `{"message": {field: [texts]}}`. */
export function validationFailed(fields: FieldErrors): DomainError {
  return new DomainError('validation_failed', { fields })
}

/** A parameter is missing or malformed; the body is `{"error": text}`. */
export function invalidParameter(message: string): DomainError {
  return new DomainError('invalid_parameter', { message })
}

/** The name is taken; the body is `{"message": text}`. */
export function conflict(message: string): DomainError {
  return new DomainError('conflict', { message })
}

/** A rule or the current state forbids it; the body is `{"message": text}`. */
export function badRequest(message: string): DomainError {
  return new DomainError('bad_request', { message })
}

/**
 * Like `badRequest`, where v4 clients expect a nested error; the body is `{"message": {"error":
 * text}}`.
 */
export function refused(error: string): DomainError {
  return new DomainError('bad_request', { error })
}
