import { type GroupLabel, type Label, type LabelDetails, textColorOn } from '@stithy/core'
import type { LabelRef, LabelRow, LabelTotals, ProjectLabelRow } from '@stithy/store'

/** A label beside other things (document 1, Issue). */
export function presentLabelDetails({ id, title, color, description }: LabelRef): LabelDetails {
  return { id, name: title, color, description, text_color: textColorOn(color) }
}

/** What is shown of labels beside their own fields, by id. */
export interface LabelSurroundings {
  totals: ReadonlyMap<number, LabelTotals>
  /** Those that the caller is subscribed to. */
  subscribed: ReadonlySet<number>
}

/** Labels in a group (catalogue: planning, 4.1). */
export function presentGroupLabels(
  rows: readonly LabelRow[],
  { totals, subscribed }: LabelSurroundings,
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

/** Labels in a project (document 1, Label). */
export function presentLabels(
  rows: readonly ProjectLabelRow[],
  surroundings: LabelSurroundings,
): Label[] {
  return presentGroupLabels(rows, surroundings).map((label, index) => ({
    ...label,
    priority: rows[index]?.priority ?? null,
    is_project_label: rows[index]?.projectId !== null,
  }))
}
