import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { requireCaller } from '../../../platform/http/require-caller.ts'
import type { ItemChangeBy } from './work-item-type.ts'

/** A change that the calling user makes now. @throws DomainError `unauthorized` */
export function changeBy(app: App, caller: Caller): ItemChangeBy {
  const now = app.now()
  return { userId: requireCaller(caller).id, at: now, now }
}
