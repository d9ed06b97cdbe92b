import { type ItemVersionRow, listItemVersions, type Queries } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { timestampText } from '../../platform/http/timestamp.ts'
import { channelOf, type WatchedItem } from './watched-item.ts'

/** What an event says of an item. */
export interface ItemVersion {
  updated_at: string
  /** Differs after a change; nothing can be read from it. */
  version: string
}

/**
 * Reads the versions of items, by channel; those that were deleted are missing. One query, however
 * many there are.
 */
export async function readVersions(
  app: App,
  q: Queries,
  items: readonly WatchedItem[],
): Promise<Map<string, ItemVersion>> {
  const idsOf = (type: WatchedItem['type']) =>
    items.filter((item) => item.type === type).map(({ id }) => id)
  const rows = await listItemVersions(q, {
    issueIds: idsOf('issue'),
    epicIds: idsOf('epic'),
    mergeRequestIds: idsOf('merge_request'),
  })
  return new Map(rows.map((row) => [channelOf(row.type, row.id), versionOf(app, row)]))
}

/** A caller who may not see the pipeline, for example, can't tell it from the version either. */
function versionOf({ secrets }: App, row: ItemVersionRow): ItemVersion {
  return {
    updated_at: timestampText(row.updatedAt),
    version: secrets.fingerprint(`version of an item: ${JSON.stringify(row)}`),
  }
}
