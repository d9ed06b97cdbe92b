import type { EpicDate } from '@stithy/core'
import type { EpicRow } from '@stithy/store'

export type DateColumns = Pick<
  EpicRow,
  | 'startDateIsFixed'
  | 'startDateFixed'
  | 'startDateFromMilestones'
  | 'dueDateIsFixed'
  | 'dueDateFixed'
  | 'dueDateFromMilestones'
>

/** The dates of a stored epic with where they come from. */
export function epicDates(row: DateColumns): { start: EpicDate; due: EpicDate } {
  return {
    start: {
      isFixed: row.startDateIsFixed === 1,
      fixed: row.startDateFixed,
      fromMilestones: row.startDateFromMilestones,
    },
    due: {
      isFixed: row.dueDateIsFixed === 1,
      fixed: row.dueDateFixed,
      fromMilestones: row.dueDateFromMilestones,
    },
  }
}
