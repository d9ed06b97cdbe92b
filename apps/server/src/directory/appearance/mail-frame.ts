import type { App } from '../../platform/app.ts'
import type { MailBanner, MailFrame } from '../../platform/mail/mail-frame.ts'
import { loadAppearance } from './appearance.service.ts'

/**
 * The header and footer message, with `email_header_and_footer_enabled`. One query.
 */
export async function mailFrame({ db }: App): Promise<MailFrame> {
  const row = await loadAppearance(db)
  if (row.emailHeaderAndFooterEnabled === 0) return { above: undefined, below: undefined }
  const { messageBackgroundColor: background, messageFontColor: color } = row
  const banner = (text: string): MailBanner | undefined =>
    text.trim() === '' ? undefined : { text, background, color }
  return { above: banner(row.headerMessage), below: banner(row.footerMessage) }
}
