import type { ErrorCode, FieldErrors } from '@stithy/core'

/**
 * Why a call failed: the codes of the service, and those that only a client can know. `network_error`:
 * no answer came; `timed_out`: none came in time; `aborted`: the caller's signal ended the call;
 * `server_error`: a 5xx without a code of its own; `unexpected_answer`: not what the service sends.
 */
export type StithyErrorCode =
  | ErrorCode
  | 'server_error'
  | 'unexpected_answer'
  | 'network_error'
  | 'timed_out'
  | 'aborted'

/** The call that failed: the path is relative to `/api/v4`, without its query. */
export interface FailedCall {
  method: string
  path: string
}

/** What is known of a failure beside its code and words. */
export interface FailureDetail {
  status?: number
  body?: unknown
  fields?: FieldErrors
  requestId?: string | null
  retryAfter?: number | null
  cause?: unknown
}

/** The one error that calls fail with; `code` tells the kinds apart. It never holds a token. */
export class StithyError extends Error {
  readonly code: StithyErrorCode
  /** The status of the answer; null where none came. */
  readonly status: number | null
  readonly method: string
  readonly path: string
  /** The parsed body of the answer, or its text. */
  readonly body: unknown
  /** With `validation_failed`: the complaints by field. Empty otherwise. */
  readonly fields: FieldErrors
  /** What the operator of the server finds the request by in the log. */
  readonly requestId: string | null
  /** Seconds after which the server asks to be tried again. */
  readonly retryAfter: number | null

  constructor(
    code: StithyErrorCode,
    message: string,
    call: FailedCall,
    { status, body, fields, requestId, retryAfter, cause }: FailureDetail = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'StithyError'
    this.code = code
    this.status = status ?? null
    this.method = call.method
    this.path = call.path
    this.body = body
    this.fields = fields ?? {}
    this.requestId = requestId ?? null
    this.retryAfter = retryAfter ?? null
  }
}
