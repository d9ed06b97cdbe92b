import { type Html, html } from '../text/html.ts'

/** A text across a whole mail, in colors of its own. */
export interface MailBanner {
  text: string
  /** `#rrggbb` or `#rgb`. */
  background: string
  color: string
}

/** What administrators put around every mail. */
export interface MailFrame {
  above: MailBanner | undefined
  below: MailBanner | undefined
}

/** The HTML of a banner; nothing without one. */
export function bannerHtml(banner: MailBanner | undefined): Html | undefined {
  if (banner === undefined) return undefined
  const { text, background, color } = banner
  const style = `background: ${background}; color: ${color}; padding: 8px; text-align: center`
  return html`<p style="${style}">${text}</p>\n`
}
