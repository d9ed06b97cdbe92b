import type { EpicRef, UserRef } from '@stithy/core'
import type { EpicRow } from '@stithy/store'
import type { Config } from '../config/config.ts'
import { instantOrNull, instantText } from '../http/instant.ts'
import { webUrl } from '../http/urls.ts'

/** An epic with what other things show of it. */
export interface EpicView {
  row: EpicRow
  author: UserRef
  /** Titles, in their order. */
  labels: readonly string[]
}

/** Epics where other things name them. */
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
    created_at: instantText(row.createdAt),
    updated_at: instantText(row.updatedAt),
    closed_at: instantOrNull(row.closedAt),
  }))
}
