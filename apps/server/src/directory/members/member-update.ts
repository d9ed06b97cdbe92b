import type { MemberSource, Transaction } from '@stithy/store'
import { changeByCaller } from '../../platform/changes/change-by-caller.ts'
import { recordChange } from '../../platform/changes/record-change.ts'

/** What a membership gives, and until when. */
interface Terms {
  accessLevel: number
  /** `YYYY-MM-DD`, or null. */
  expiresOn: string | null
}

/** Records a change of a membership; one that changes nothing is none. */
export async function recordMemberUpdate(
  tx: Transaction,
  { userId: memberId, ...membership }: MemberSource & Terms & { userId: number },
  { accessLevel, expiresOn }: Terms,
  now: number,
): Promise<void> {
  if (membership.accessLevel === accessLevel && membership.expiresOn === expiresOn) return
  const updated = { memberId, membership, previous: { accessLevel, expiresOn } }
  await recordChange(tx, { kind: 'member.updated', ...changeByCaller(now), ...updated })
}
