import type { EpicRef, UserRef } from '@stithy/core'
import type { EpicRow } from '@stithy/store'
import type { Config } from '../../platform/config/config.ts'
import { timestampOrNull, timestampText } from '../../platform/http/timestamp.ts'
import { webUrl } from '../../platform/http/urls.ts'

/** An epic with the related data that its reference shows. */
export interface EpicView {
  row: EpicRow
  author: UserRef
  /** Titles, in display order. */
  labels: readonly string[]
}

/** Presents epics as other resources embed them. */
export function presentEpics(config: Config, views: readonly EpicView[]): EpicRef[] {
  return views.map(({ row, author, labels }) => ({
    id: row.id,
    iid: row.iid,
    group_id: row.groupId,
    title: row.title,
    description: row.description,
    state: row.state,
    author,
    labels: [...labels],
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    web_url: webUrl(config, `groups/${row.groupFullPath}/-/epics/${row.iid}`),
    created_at: timestampText(row.createdAt),
    updated_at: timestampText(row.updatedAt),
    closed_at: timestampOrNull(row.closedAt),
  }))
}
