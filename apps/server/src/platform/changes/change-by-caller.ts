import { currentRequest } from '../http/request-context.ts'
import type { ChangeBy } from './change.ts'

/** A change made now by the caller of the request; by the server itself outside of requests. */
export function changeByCaller(now: number): ChangeBy {
  return { userId: currentRequest()?.user?.id ?? null, at: now, now }
}
