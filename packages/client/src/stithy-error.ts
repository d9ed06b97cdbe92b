import type { ErrorCode, FieldErrors } from '@stithy/core'

/**
 * Why a call failed: the error codes of the API, and those of the client. `network_error`: no
 * response; `timed_out`: no response in time; `aborted`: by the caller's signal; `server_error`: a
 * 5xx without a code of its own; `unexpected_answer`: not a response of Stithy.
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

/** Details of a failure besides its code and message. */
export interface FailureDetail {
  status?: number
  body?: unknown
  fields?: FieldErrors
  requestId?: string | null
  retryAfter?: number | null
  cause?: unknown
}

/** The only error that calls reject with, distinguished by `code`. It never contains a token. */
export class StithyError extends Error {
  readonly code: StithyErrorCode
  /** The status of the response; null if there was none. */
  readonly status: number | null
  readonly method: string
  readonly path: string
  /** The parsed body of the response, or its text. */
  readonly body: unknown
  /** With `validation_failed`: the messages by field. Empty otherwise. */
  readonly fields: FieldErrors
  /** The id of the request in the server's log. */
  readonly requestId: string | null
  /** Seconds after which the server asks to retry. */
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
