import type { App } from '../../platform/app.ts'
import type { MailFrame } from '../../platform/mail/mail-frame.ts'
import { messageOf } from './appearance.presenter.ts'
import { loadAppearance } from './appearance.service.ts'

/** The header and footer message, with `email_header_and_footer_enabled`. One query. */
export async function mailFrame({ db }: App): Promise<MailFrame> {
  const row = await loadAppearance(db)
  if (row.emailHeaderAndFooterEnabled === 0) return { above: undefined, below: undefined }
  return { above: messageOf(row, row.headerMessage), below: messageOf(row, row.footerMessage) }
}
