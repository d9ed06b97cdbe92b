import type { Transaction } from '@stithy/store'
import { touchUser } from '../../directory/users/activity.service.ts'
import type { Change } from '../../platform/changes/change.ts'

/** Updates `last_activity_on` of the pusher. */
export async function touchPusherActivity(
  tx: Transaction,
  { push, now }: Change<'refs.moved'>,
): Promise<void> {
  await touchUser(tx, push.userId, now)
}
