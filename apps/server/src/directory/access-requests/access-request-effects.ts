import type { Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'
import { endRequest } from './access-request.service.ts'

/** Whoever becomes a member by other means has nothing to ask for any more. */
export async function removeRequestOfNewMember(
  tx: Transaction,
  { memberId, source, now }: Change<'member.joined'>,
): Promise<void> {
  await endRequest(tx, { ...source, userId: memberId }, now)
}
