import { DomainError } from '@stithy/core'
import type { CallerUser } from '../authentication/caller.ts'
import type { Caller } from '../http/call.ts'

/** The user who calls, where the contract lets nobody in without a token. */
export function requireCaller(caller: Caller): CallerUser {
  if (caller.user === null) throw new DomainError('unauthorized')
  return caller.user
}
