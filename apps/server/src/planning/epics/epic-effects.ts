import { type Transaction, touchStamp } from '@stithy/store'

/** Invalidates the cached totals of lists of epics. */
export async function touchEpicLists(tx: Transaction): Promise<void> {
  touchStamp(tx, 'epics')
}
