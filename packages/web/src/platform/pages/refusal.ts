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

/** What doesn't exist, or isn't shown to the viewer. */
export function missing(): StithyError {
  return new StithyError('not_found', '404 Not Found', noCall, { status: 404 })
}
