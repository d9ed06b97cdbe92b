import { deleteAccessRequest, type Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'

/** Whoever becomes a member by other means has nothing to ask for any more. */
export async function removeRequestOfNewMember(
  tx: Transaction,
  { memberId, source }: Change<'member.joined'>,
): Promise<void> {
  await deleteAccessRequest(tx, { ...source, userId: memberId })
}
