import type { Transaction, UserChanges, UserRow } from '@stithy/store'
import { attributeChanges } from '../../platform/changes/attribute-change.ts'
import type { ChangeBy } from '../../platform/changes/change.ts'
import { recordChange } from '../../platform/changes/record-change.ts'

/** The attributes that decide who a user is and what they may do. */
const names = ['username', 'name', 'email', 'state', 'admin', 'external'] as const

/** Records which of those attributes a change sets, and a new password without its value. */
export async function recordUserChanges(
  tx: Transaction,
  before: UserRow,
  { passwordHash, ...changes }: UserChanges,
  by: ChangeBy,
): Promise<void> {
  const changed = attributeChanges(before, changes, names)
  if (passwordHash !== undefined) changed.push({ name: 'password', from: null, to: null })
  if (changed.length === 0) return
  await recordChange(tx, {
    kind: 'user.updated',
    ...by,
    updatedUserId: before.id,
    changes: changed,
  })
}
