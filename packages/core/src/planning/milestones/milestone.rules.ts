import type { FieldErrors } from '../../platform/errors.ts'
import { workItemErrors } from '../items/text.rules.ts'

/** Editable fields of a milestone; undefined ones are not set. Days are `YYYY-MM-DD`. */
export interface MilestoneValues {
  /** Trimmed. */
  title?: string | undefined
  description?: string | null | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
}

/** Validates a milestone; returns errors by field, or undefined. */
export function milestoneErrors(values: MilestoneValues): FieldErrors | undefined {
  const { title, description, startDate, dueDate } = values
  const errors: FieldErrors = { ...workItemErrors({ title, description }) }
  if (startDate && dueDate && dueDate <= startDate) {
    errors.due_date = ['must be greater than start date']
  }
  return Object.keys(errors).length > 0 ? errors : undefined
}

/**
 * The error for a title that exists in the project, in one of its groups, or in a project of the
 * group.
 */
export const takenMilestoneTitle: FieldErrors = {
  title: ['already being used for another group or project milestone.'],
}
