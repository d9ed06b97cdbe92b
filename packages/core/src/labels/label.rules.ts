import type { FieldErrors } from '../errors.ts'
import { workItemErrors } from '../work-items/text.rules.ts'
import { normalizeColor } from './color.rules.ts'

/** What may be set of a label; what is undefined is not set. */
export interface LabelTexts {
  /** Trimmed. */
  title?: string | undefined
  color?: string | undefined
  description?: string | null | undefined
}

/** What is wrong with a label, by field (catalogue: planning, 4.2); undefined where nothing is. */
export function labelErrors({ title, color, description }: LabelTexts): FieldErrors | undefined {
  const errors: FieldErrors = { ...workItemErrors({ title, description }) }
  if (title?.includes(',')) errors.title = [...(errors.title ?? []), 'is invalid']
  if (color !== undefined && normalizeColor(color) === undefined) {
    errors.color = ['must be a valid color code']
  }
  return Object.keys(errors).length > 0 ? errors : undefined
}

/** The names in a list of labels, each once: a comma parts them, blanks around them do not count. */
export function labelNames(names: readonly string[]): string[] {
  const parts = names.flatMap((name) => name.split(',')).map((name) => name.trim())
  return [...new Set(parts)].filter((name) => name !== '')
}
