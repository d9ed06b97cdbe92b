import { maxNameLength, maxProseLength } from '../../platform/contract/text-options.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'

/** Texts of an issue, merge request or epic; undefined ones are not set. */
export interface WorkItemTexts {
  /** Trimmed. */
  title?: string | undefined
  description?: string | null | undefined
}

/** Validates the texts of a work item; returns errors by field, or undefined. */
export function workItemErrors({ title, description }: WorkItemTexts): FieldErrors | undefined {
  const errors: FieldErrors = {}
  if (title === '') errors.title = ["can't be blank"]
  if (isLongerThan(title, maxNameLength)) errors.title = [tooLong(maxNameLength)]
  if (isLongerThan(description, maxProseLength)) {
    errors.description = [tooLong(maxProseLength)]
  }
  return Object.keys(errors).length > 0 ? errors : undefined
}
