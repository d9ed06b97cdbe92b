import type { FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import type { Authorize } from './authorize.ts'
import type { Caller } from './call.ts'
import { isExpected } from './errors.ts'
import type { RequestGuards } from './identify.ts'
import type { Params } from './nested-params.ts'

/** Who may make a call. */
interface Checks {
  checkCredentials: (caller: Caller) => void
  authorize: Authorize | undefined
}

interface Allowed {
  request: FastifyRequest
  caller: Caller
  params: Params
}

/**
 * Whether a later call with the same credentials would be let in as the same user. It is no request
 * that is counted.
 */
export async function isStillAllowed(
  app: App,
  { checkCredentials, authorize }: Checks,
  { authenticate }: Pick<RequestGuards, 'authenticate'>,
  { request, caller, params }: Allowed,
): Promise<boolean> {
  try {
    const now = await authenticate(app, request, request.query as Params)
    checkCredentials(now)
    await authorize?.(app, now, params)
    return now.user?.id === caller.user?.id
  } catch (error) {
    if (isExpected(error)) return false
    throw error
  }
}
