import { type Html, html } from '@stithy/web'
import type { Banner } from '../text/banner.ts'

/** What administrators put around every mail. */
export interface MailFrame {
  above: Banner | undefined
  below: Banner | undefined
}

/** The HTML of a banner; nothing without one. */
export function bannerHtml(banner: Banner | undefined): Html | undefined {
  if (banner === undefined) return undefined
  const { text, background, color } = banner
  const style = `background: ${background}; color: ${color}; padding: 8px; text-align: center`
  return html`<p style="${style}">${text}</p>\n`
}
