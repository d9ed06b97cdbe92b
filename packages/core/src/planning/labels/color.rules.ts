import { cssColors } from './css-colors.ts'

/** Colour of labels that are created by naming them on an item. */
export const defaultLabelColor = '#428BCA'

/**
 * Normalizes a colour to six hex digits with a leading `#`: three digits are doubled, CSS colour
 * names are converted. Undefined for other texts.
 */
export function normalizeColor(color: string): string | undefined {
  const given = color.trim()
  if (/^#[0-9a-f]{6}$/i.test(given)) return given
  if (/^#[0-9a-f]{3}$/i.test(given)) return given.replace(/[0-9a-f]/gi, '$&$&')
  return cssColors.get(given.toLowerCase())
}

/** The contrasting text colour: dark on light colours, white on dark ones; `color` is `#rrggbb`. */
export function textColorOn(color: string): '#333333' | '#FFFFFF' {
  const digits = Number.parseInt(color.slice(1), 16)
  const light = (digits >> 16) + ((digits >> 8) & 255) + (digits & 255)
  return light > 500 ? '#333333' : '#FFFFFF'
}
