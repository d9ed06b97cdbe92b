import type { App } from '../app.ts'
import { tierAllows } from '../config/config.ts'

/** The settings of the instance that change mails. */
export interface MailSettings {
  /** `html_emails_enabled` */
  sendsHtml: boolean
  /** `email_author_in_body`: for SMTP servers that rewrite the name of the sender. */
  namesAuthor: boolean
  /** `email_additional_text`, at the end of every mail; empty for none. */
  additionalText: string
}

/** The settings that change mails, as they are now. */
export function mailSettingsOf({ config, settings }: App): MailSettings {
  return {
    sendsHtml: settings.html_emails_enabled,
    namesAuthor: settings.email_author_in_body,
    additionalText: tierAllows(config.tier, 'premium')
      ? (settings.email_additional_text ?? '')
      : '',
  }
}
