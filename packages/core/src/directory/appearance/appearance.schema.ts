import { z } from 'zod'

/** How the pages of the server look; empty texts and null files are not shown. */
export const Appearance = z.object({
  /** Of the sign-in page. */
  title: z.string(),
  /** Of the sign-in page, in Markdown. */
  description: z.string(),
  /** Path of the picture on the sign-in page. */
  logo: z.string().nullable(),
  /** Path of the picture at the top of every page. */
  header_logo: z.string().nullable(),
  favicon: z.string().nullable(),
  /** In Markdown; kept for clients. */
  new_project_guidelines: z.string(),
  /** In Markdown; kept for clients. */
  profile_image_guidelines: z.string(),
  header_message: z.string(),
  footer_message: z.string(),
  /** `#rrggbb` or `#rgb`. */
  message_background_color: z.string(),
  /** `#rrggbb` or `#rgb`. */
  message_font_color: z.string(),
  /** Whether mails have the header and footer message; kept for clients. */
  email_header_and_footer_enabled: z.boolean(),
})
export type Appearance = z.output<typeof Appearance>
