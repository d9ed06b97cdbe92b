import { findCaller } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { type Caller, callerOf } from '../../platform/http/call.ts'
import { callerUser } from './caller-user.ts'

/**
 * Loads the user on whose behalf a background job acts; undefined when the user is deleted or
 * blocked. One query.
 */
export async function actingUser(app: App, userId: number): Promise<Caller | undefined> {
  const row = await findCaller(app.db, { id: userId })
  if (row === undefined || row.state !== 'active') return undefined
  return callerOf(callerUser(row))
}
