import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan } from '../notes/note.rules.ts'

const maxTitleLength = 255
const maxDescriptionLength = 1_000_000

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
  if (isLongerThan(title, maxTitleLength)) errors.title = [tooLong(maxTitleLength)]
  if (isLongerThan(description, maxDescriptionLength)) {
    errors.description = [tooLong(maxDescriptionLength)]
  }
  return Object.keys(errors).length > 0 ? errors : undefined
}

function tooLong(maximum: number): string {
  return `is too long (maximum is ${maximum} characters)`
}
