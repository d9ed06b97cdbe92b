import { type GroupLabel, type Label, type LabelDetails, textColorOn } from '@stithy/core'
import type { LabelRef, LabelRow, LabelTotals, ProjectLabelRow } from '@stithy/store'

/** A label as issues and boards embed it. */
export function presentLabelDetails({ id, title, color, description }: LabelRef): LabelDetails {
  return { id, name: title, color, description, text_color: textColorOn(color) }
}

/** The computed fields of labels, by id. */
export interface LabelContext {
  totals: ReadonlyMap<number, LabelTotals>
  /** Ids of labels that the caller is subscribed to. */
  subscribed: ReadonlySet<number>
}

/** Presents the labels of a group. */
export function presentGroupLabels(
  rows: readonly LabelRow[],
  { totals, subscribed }: LabelContext,
): GroupLabel[] {
  return rows.map((row) => {
    const { openIssues = 0, closedIssues = 0, openMergeRequests = 0 } = totals.get(row.id) ?? {}
    return {
      ...presentLabelDetails(row),
      open_issues_count: openIssues,
      closed_issues_count: closedIssues,
      open_merge_requests_count: openMergeRequests,
      subscribed: subscribed.has(row.id),
    }
  })
}

/** Presents the labels of a project. */
export function presentLabels(rows: readonly ProjectLabelRow[], context: LabelContext): Label[] {
  return presentGroupLabels(rows, context).map((label, index) => ({
    ...label,
    priority: rows[index]?.priority ?? null,
    is_project_label: rows[index]?.projectId !== null,
  }))
}
