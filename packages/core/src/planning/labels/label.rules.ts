import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'
import { workItemErrors } from '../items/text.rules.ts'
import { normalizeColor } from './color.rules.ts'

/** Editable fields of a label; undefined ones are not set. */
export interface LabelTexts {
  /** Trimmed. */
  title?: string | undefined
  color?: string | undefined
  description?: string | null | undefined
}

/** Each issue of a list may have hundreds of labels, and shows their descriptions. */
export const maxLabelDescriptionLength = 1024

/** Validates a label; returns errors by field, or undefined. */
export function labelErrors({ title, color, description }: LabelTexts): FieldErrors | undefined {
  const errors: FieldErrors = { ...workItemErrors({ title }) }
  if (isLongerThan(description, maxLabelDescriptionLength)) {
    errors.description = [tooLong(maxLabelDescriptionLength)]
  }
  if (title?.includes(',')) errors.title = [...(errors.title ?? []), 'is invalid']
  if (color !== undefined && normalizeColor(color) === undefined) {
    errors.color = ['must be a valid color code']
  }
  return Object.keys(errors).length > 0 ? errors : undefined
}

/** Splits a list of label names at commas, trims them and removes duplicates. */
export function labelNames(names: readonly string[]): string[] {
  const parts = names.flatMap((name) => name.split(',')).map((name) => name.trim())
  return [...new Set(parts)].filter((name) => name !== '')
}
