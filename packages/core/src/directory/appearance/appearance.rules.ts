import { hexColorTexts } from '../../platform/contract/hex-color.rules.ts'
import { maxNameLength } from '../../platform/contract/text-options.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'
import { collectErrors } from '../namespaces/path.rules.ts'

/** Maximum length of descriptions and guidelines, in characters. */
export const maxAppearanceProse = 10_000

/** Maximum length of the header and footer messages, in characters. */
export const maxAppearanceMessage = 1024

/** The texts of an appearance, with their maximum lengths in characters. */
const textLengths = {
  title: maxNameLength,
  description: maxAppearanceProse,
  new_project_guidelines: maxAppearanceProse,
  profile_image_guidelines: maxAppearanceProse,
  header_message: maxAppearanceMessage,
  footer_message: maxAppearanceMessage,
} as const
export type AppearanceText = keyof typeof textLengths
export const appearanceTexts = Object.keys(textLengths) as AppearanceText[]

/** The files of an appearance. */
export const appearanceFiles = ['logo', 'header_logo', 'favicon'] as const
export type AppearanceFile = (typeof appearanceFiles)[number]

/** The colors of the header and footer messages unless others are set. */
export const appearanceColors = {
  message_background_color: '#E75E40',
  message_font_color: '#FFFFFF',
} as const
export type AppearanceColor = keyof typeof appearanceColors

/** Validates the given texts and colors; returns errors by field, or undefined. */
export function appearanceErrors(
  values: Partial<Record<AppearanceText | AppearanceColor, string>>,
): FieldErrors | undefined {
  const lengths = appearanceTexts.map((name): [string, string[]] => {
    const maximum = textLengths[name]
    return [name, isLongerThan(values[name], maximum) ? [tooLong(maximum)] : []]
  })
  const colors = Object.keys(appearanceColors).map((name): [string, string[]] => {
    const color = values[name as AppearanceColor]
    return [name, color ? hexColorTexts(color) : []]
  })
  return collectErrors(Object.fromEntries([...lengths, ...colors]))
}
