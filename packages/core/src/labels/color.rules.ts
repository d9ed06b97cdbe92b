import { cssColors } from './css-colors.ts'

/** What labels get that are made by being named. */
export const defaultLabelColor = '#428BCA'

/**
 * The colour as labels keep it, six hex digits behind a `#` (document 2, Labels): three digits are doubled,
 * names of CSS become their digits. Undefined where it is no colour.
 */
export function normalizeColor(color: string): string | undefined {
  const given = color.trim()
  if (/^#[0-9a-f]{6}$/i.test(given)) return given
  if (/^#[0-9a-f]{3}$/i.test(given)) return given.replace(/[0-9a-f]/gi, '$&$&')
  return cssColors.get(given.toLowerCase())
}

/** Dark text on light colours and white text on dark ones; `color` is `#rrggbb`. */
export function textColorOn(color: string): '#333333' | '#FFFFFF' {
  const digits = Number.parseInt(color.slice(1), 16)
  const light = (digits >> 16) + ((digits >> 8) & 255) + (digits & 255)
  return light > 500 ? '#333333' : '#FFFFFF'
}
