import { findUser } from '@stithy/store'
import { html } from '@stithy/web'
import type { App } from '../../../platform/app.ts'
import type { QueuedMail } from '../../../platform/mail/mail.ts'
import { messageIdOf, type Paragraph, paragraphs } from '../../../platform/mail/mail-layout.ts'
import type { MailContent } from '../../../platform/mail/mail-message.ts'

/** What a mail about an account says. */
interface AccountMail {
  /** By default the primary address, once it is confirmed. */
  address?: string
  subject: string
  paragraphs: readonly Paragraph[]
}

/**
 * Writes a mail about the account of its recipient, in plain text and HTML; undefined for users who
 * are blocked or being deleted, or whose address was never confirmed. `write` gets the user; undefined from it drops the mail.
 */
export async function writeAccountMail(
  app: App,
  mail: QueuedMail,
  write: (user: {
    id: number
    name: string
    username: string
    email: string
  }) => Promise<AccountMail | undefined>,
): Promise<MailContent | undefined> {
  const user = await findUser(app.db, mail.userId)
  if (user === undefined || user.state !== 'active' || user.kind !== 'human') return undefined
  const written = await write(user)
  const address = written?.address ?? (user.confirmedAt === null ? undefined : user.email)
  if (written === undefined || address === undefined) return undefined
  const { subject } = written
  const { externalUrl } = app.config
  const reason = `You receive this mail because of your account ${user.username} on`
  return {
    to: { name: user.name, address },
    subject,
    body: paragraphs([`Hello ${user.name},`, ...written.paragraphs]),
    footer: [
      {
        text: `${reason} ${externalUrl}.`,
        html: html`${reason} <a href="${externalUrl}">${externalUrl}</a>.`,
      },
    ],
    messageId: messageIdOf(app.config, mail.key),
    headers: { 'X-Stithy-Mail': 'account' },
  }
}
