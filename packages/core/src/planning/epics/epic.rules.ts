import type { FieldErrors } from '../../platform/errors.ts'

/** Where one date of an epic comes from. Days are `YYYY-MM-DD`. */
export interface EpicDate {
  isFixed: boolean
  /** Kept while it is not used. */
  fixed: string | null
  fromMilestones: string | null
}

/** The date that an epic shows. */
export function effectiveDate({ isFixed, fixed, fromMilestones }: EpicDate): string | null {
  return isFixed ? fixed : fromMilestones
}

/**
 * Refuses a fixed start after a fixed due date. A date that follows milestones is not the editor's,
 * and changes with them.
 */
export function epicDateErrors(dates: { start: EpicDate; due: EpicDate }): FieldErrors | undefined {
  const [start, due] = [dates.start, dates.due].map(({ isFixed, fixed }) =>
    isFixed ? fixed : null,
  )
  if (!start || !due || start <= due) return undefined
  return { due_date: ['must be greater than or equal to start date'] }
}
