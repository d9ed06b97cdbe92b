import type { Milestone } from '@stithy/core'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { missing } from '../../platform/pages/refusal.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { milestoneCalls } from './milestone-calls.ts'

/**
 * The milestone of an address, which has its number in the project or group.
 * @throws StithyError 404 without one
 */
export async function findMilestone(call: PageCall): Promise<Milestone> {
  const { items } = await milestoneCalls(call).list({ iids: [rowId(call, 'iid')], state: 'all' })
  const [milestone] = items
  if (milestone === undefined) throw missing()
  return milestone
}
