import { type Epic, effectiveDate, type UserRef } from '@stithy/core'
import type { EpicRow } from '@stithy/store'
import type { Config } from '../../platform/config/config.ts'
import { timestampOrNull, timestampText } from '../../platform/http/timestamp.ts'
import { webUrl } from '../../platform/http/urls.ts'
import { epicDates } from './epic-dates.ts'

/** An epic with the related data that it shows. */
export interface EpicView {
  row: EpicRow
  author: UserRef
  /** Titles, in display order. */
  labels: readonly string[]
  /** Whether the caller may edit it, and so sees where its dates come from. */
  editable: boolean
}

export function presentEpics(config: Config, views: readonly EpicView[]): Epic[] {
  return views.map((view) => presentEpic(config, view))
}

function presentEpic(config: Config, { row, author, labels, editable }: EpicView): Epic {
  const { start, due } = epicDates(row)
  const dueDate = effectiveDate(due)
  const epic: Epic = {
    id: row.id,
    iid: row.iid,
    group_id: row.groupId,
    parent_id: row.parentId,
    title: row.title,
    description: row.description,
    state: row.state,
    author,
    start_date: effectiveDate(start),
    end_date: dueDate,
    due_date: dueDate,
    labels: [...labels],
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    web_url: webUrl(config, epicPath(row)),
    created_at: timestampText(row.createdAt),
    updated_at: timestampText(row.updatedAt),
    closed_at: timestampOrNull(row.closedAt),
  }
  if (!editable) return epic
  epic.start_date_is_fixed = start.isFixed
  epic.start_date_fixed = start.fixed
  epic.start_date_from_milestones = start.fromMilestones
  epic.due_date_is_fixed = due.isFixed
  epic.due_date_fixed = due.fixed
  epic.due_date_from_milestones = due.fromMilestones
  return epic
}

/** The path of the epic's web page, relative to the external URL. */
export function epicPath({ groupFullPath, iid }: Pick<EpicRow, 'groupFullPath' | 'iid'>): string {
  return `groups/${groupFullPath}/-/epics/${iid}`
}
