import type { FastifyRequest } from 'fastify'
import { InProcessRequest } from './in-process-call.ts'

const checkHeader = 'x-stithy-permission-check'

/** Whether a request is one of a page, which was counted against the limits of requests itself. */
export function isInternalCall({ raw }: FastifyRequest): boolean {
  return (raw as unknown) instanceof InProcessRequest
}

/** Headers of a call of a page that is to be authorized, but not made: it is answered with 204, or refused. */
export const permissionCheckHeaders: Readonly<Record<string, string>> = { [checkHeader]: '1' }

/** Whether the headers of a call of a page say that it is not to be made. */
export function isPermissionCheckCall(headers: Readonly<Record<string, unknown>>): boolean {
  return checkHeader in headers
}

/** Whether a page asks only if its viewer may make a call; the body of the call is not read. */
export function isPermissionCheck(request: FastifyRequest): boolean {
  return isPermissionCheckCall(request.headers) && isInternalCall(request)
}
