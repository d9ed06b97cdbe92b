import type { Transaction } from '@stithy/store'
import type { Item } from '../../planning/items/item.ts'
import type { Change } from '../../platform/changes/change.ts'
import { channelOf, pipelineChannel } from './watched-item.ts'

/** Tells the streams of this process that something about an item has changed. */
export async function notifyStreams(tx: Transaction, { item }: { item: Item }): Promise<void> {
  if (item.type !== 'commit') tx.notify(channelOf(item.type, item.row.id))
}

/** The same of an item with other labels. */
export async function notifyStreamsOfLabels(
  tx: Transaction,
  { target }: Change<'item.labeled'>,
): Promise<void> {
  tx.notify(channelOf(target.type, target.id))
}

/** The same of a merge request that has a new version. */
export async function notifyStreamsOfVersion(
  tx: Transaction,
  { mergeRequestId }: Change<'merge_request.version_added'>,
): Promise<void> {
  tx.notify(channelOf('merge_request', mergeRequestId))
}

/** Has them look for the merge requests that show a pipeline. */
export async function notifyStreamsOfPipeline(tx: Transaction): Promise<void> {
  tx.notify(pipelineChannel)
}
