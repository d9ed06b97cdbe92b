import type { FieldErrors } from '../errors.ts'

const maxNameLength = 255
const maxDescriptionLength = 1_000_000

/** What may be set of a release. */
export interface ReleaseTexts {
  name?: string | undefined
  description?: string | null | undefined
}

/** What is wrong with the texts of a release, by field; undefined where nothing is. */
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
