import { DomainError } from '@stithy/core'
import type { Caller } from './call.ts'
import type { CallerUser } from './caller.ts'

/** The calling user, for endpoints that require a token. */
export function requireCaller(caller: Caller): CallerUser {
  if (caller.user === null) throw new DomainError('unauthorized')
  return caller.user
}
