import { type Appearance, type AppearanceFile, appearanceColors } from '@stithy/core'
import type { AppearanceRow } from '@stithy/store'
import type { Banner } from '../../platform/text/banner.ts'
import { avatarFilename } from '../../platform/uploads/avatar-url.ts'

/** An appearance that nobody has changed. */
export const plainAppearance: AppearanceRow = {
  title: '',
  description: '',
  logo: null,
  headerLogo: null,
  favicon: null,
  newProjectGuidelines: '',
  profileImageGuidelines: '',
  headerMessage: '',
  footerMessage: '',
  messageBackgroundColor: appearanceColors.message_background_color,
  messageFontColor: appearanceColors.message_font_color,
  emailHeaderAndFooterEnabled: 0,
  updatedAt: 0,
}

/** The path of a file of the appearance, from the root of the server; null without one. */
export function appearanceFilePath(kind: AppearanceFile, file: string | null): string | null {
  return file === null ? null : `/uploads/-/system/appearance/${kind}/1/${avatarFilename(file)}`
}

/** Builds the shape of an appearance. */
export function presentAppearance(row: AppearanceRow): Appearance {
  return {
    title: row.title,
    description: row.description,
    logo: appearanceFilePath('logo', row.logo),
    header_logo: appearanceFilePath('header_logo', row.headerLogo),
    favicon: appearanceFilePath('favicon', row.favicon),
    new_project_guidelines: row.newProjectGuidelines,
    profile_image_guidelines: row.profileImageGuidelines,
    header_message: row.headerMessage,
    footer_message: row.footerMessage,
    message_background_color: row.messageBackgroundColor,
    message_font_color: row.messageFontColor,
    email_header_and_footer_enabled: row.emailHeaderAndFooterEnabled === 1,
  }
}

/** The header or footer message in its colors; undefined without one. */
export function messageOf(row: AppearanceRow, text: string): Banner | undefined {
  const { messageBackgroundColor: background, messageFontColor: color } = row
  return text.trim() === '' ? undefined : { text, background, color }
}
