import { maxNameLength, maxProseLength } from '../../platform/contract/text-options.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'

/** Editable texts of a release. */
export interface ReleaseTexts {
  name?: string | undefined
  description?: string | null | undefined
}

/** Validates the texts of a release; returns errors by field, or undefined. */
export function releaseErrors({ name, description }: ReleaseTexts): FieldErrors | undefined {
  const errors: FieldErrors = {}
  if (name !== undefined && name.trim() === '') errors.name = ["can't be blank"]
  if (isLongerThan(name, maxNameLength)) errors.name = [tooLong(maxNameLength)]
  if (isLongerThan(description, maxProseLength)) {
    errors.description = [tooLong(maxProseLength)]
  }
  return Object.keys(errors).length > 0 ? errors : undefined
}
