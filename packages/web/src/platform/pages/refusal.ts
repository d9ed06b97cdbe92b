import { StithyError } from '@stithy/client'

const noCall = { method: 'GET', path: '' }

/** What the viewer may not do, as the API would refuse it. */
export function forbidden(message = '403 Forbidden'): StithyError {
  return new StithyError('forbidden', message, noCall, { status: 403 })
}

export function isForbidden(error: unknown): boolean {
  return error instanceof StithyError && error.status === 403
}

/** What the API says of changes of an archived project. */
const archivedReason = 'The project is archived'

/** Whether something was refused because the project is archived. */
export function isArchivedRefusal(error: unknown): boolean {
  return error instanceof StithyError && error.message.includes(archivedReason)
}

/** What the API has answered to the conditions or the range of a read of bytes: 412 or 416. */
export function refusedRead(status: number): StithyError {
  return status === 416
    ? new StithyError('range_not_satisfiable', '416 Range Not Satisfiable', noCall, { status })
    : new StithyError('precondition_failed', '412 Precondition Failed', noCall, { status })
}

/** What doesn't exist, or isn't shown to the viewer. */
export function missing(): StithyError {
  return new StithyError('not_found', '404 Not Found', noCall, { status: 404 })
}
