import { StithyError } from '@stithy/client'

const noCall = { method: 'GET', path: '' }

/** What the viewer may not do, as the API would refuse it. */
export function forbidden(): StithyError {
  return new StithyError('forbidden', '403 Forbidden', noCall, { status: 403 })
}

/** What doesn't exist, or isn't shown to the viewer. */
export function missing(): StithyError {
  return new StithyError('not_found', '404 Not Found', noCall, { status: 404 })
}
