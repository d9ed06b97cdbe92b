import { findCaller } from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import { callerUser } from './caller.ts'

/**
 * A user as the one in whose name something is done later; undefined where the user is gone or may no longer
 * do anything. One query.
 */
export async function actingUser(app: App, userId: number): Promise<Caller | undefined> {
  const row = await findCaller(app.db, { id: userId })
  if (row === undefined || row.state !== 'active') return undefined
  const user = callerUser(row)
  return { facts: { userId, admin: user.admin, external: user.external }, user, scopes: [] }
}
