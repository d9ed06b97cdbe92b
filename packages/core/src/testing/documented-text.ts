import type { TextOptions } from '../platform/contract/fields.ts'

/** Whether a text is valid by the documented rules of a parameter, read as JSON schema. */
export function isDocumented({ rules = {} }: TextOptions, text: string): boolean {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern = '', not } = rules
  const length = [...text].length
  if (length < minLength || length > maxLength || !new RegExp(pattern, 'u').test(text)) return false
  return not === undefined || !new RegExp(not.pattern, 'u').test(text)
}
