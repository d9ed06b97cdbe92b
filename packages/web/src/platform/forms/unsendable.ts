import { StithyError } from '@stithy/client'

/** Whether the API was not asked, because no call can carry what the address or the form says. */
export function isUnsendable(error: unknown): error is StithyError {
  return error instanceof StithyError && error.status === null && error.code === 'invalid_parameter'
}
