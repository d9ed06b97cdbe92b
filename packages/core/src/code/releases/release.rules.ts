import type { FieldErrors } from '../../platform/errors.ts'

const maxNameLength = 255
const maxDescriptionLength = 1_000_000

/** Editable texts of a release. */
export interface ReleaseTexts {
  name?: string | undefined
  description?: string | null | undefined
}

/** Validates the texts of a release; returns errors by field, or undefined. */
export function releaseErrors({ name, description }: ReleaseTexts): FieldErrors | undefined {
  const errors: FieldErrors = {}
  if (name !== undefined && name.trim() === '') errors.name = ["can't be blank"]
  if (name !== undefined && name.length > maxNameLength) errors.name = [tooLong(maxNameLength)]
  if ((description ?? '').length > maxDescriptionLength) {
    errors.description = [tooLong(maxDescriptionLength)]
  }
  return Object.keys(errors).length > 0 ? errors : undefined
}

function tooLong(maximum: number): string {
  return `is too long (maximum is ${maximum} characters)`
}
