import type { TextOptions } from './fields.ts'

/** `#rgb` or `#rrggbb`. */
const hexColorPattern = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** A color in hexadecimal digits. */
export const hexColorText: TextOptions = {
  rules: { maxLength: 7, pattern: '^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$' },
}

/** What is wrong with a color; empty if it is `#rgb` or `#rrggbb`. */
export function hexColorTexts(color: string): string[] {
  return hexColorPattern.test(color) ? [] : ['must be a valid color code']
}
