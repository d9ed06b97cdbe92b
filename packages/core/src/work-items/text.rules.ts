import type { FieldErrors } from '../errors.ts'
import { isLongerThan } from '../notes/note.rules.ts'

const maxTitleLength = 255
const maxDescriptionLength = 1_000_000

/** The texts of an issue, a merge request or an epic; what is undefined is not set. */
export interface WorkItemTexts {
  /** Trimmed. */
  title?: string | undefined
  description?: string | null | undefined
}

/** What is wrong with the texts of a work item, by field; undefined where nothing is (catalogue: issues, 2.1). */
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
