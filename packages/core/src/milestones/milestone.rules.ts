import type { FieldErrors } from '../errors.ts'
import { workItemErrors } from '../work-items/text.rules.ts'

/** What may be set of a milestone; what is undefined is not set. Days are `YYYY-MM-DD`. */
export interface MilestoneValues {
  /** Trimmed. */
  title?: string | undefined
  description?: string | null | undefined
  startDate?: string | null | undefined
  dueDate?: string | null | undefined
}

/** What is wrong with a milestone, by field (catalogue: planning, 1); undefined where nothing is. */
export function milestoneErrors(values: MilestoneValues): FieldErrors | undefined {
  const { title, description, startDate, dueDate } = values
  const errors: FieldErrors = { ...workItemErrors({ title, description }) }
  if (startDate && dueDate && dueDate <= startDate) {
    errors.due_date = ['must be greater than start date']
  }
  return Object.keys(errors).length > 0 ? errors : undefined
}

/** A title that the project, one of its groups, or one of the projects of the group has already. */
export const takenMilestoneTitle: FieldErrors = {
  title: ['already being used for another group or project milestone.'],
}
