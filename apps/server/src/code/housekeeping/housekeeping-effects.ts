import type { Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'
import { countPushForHousekeeping } from './housekeeping.service.ts'

export async function countForHousekeeping(
  tx: Transaction,
  { push, now }: Change<'refs.moved'>,
): Promise<void> {
  await countPushForHousekeeping(tx, push.projectId, now)
}
