import { randomUUID } from 'node:crypto'
import { countRecentMails, type Transaction } from '@stithy/store'
import type { Change } from '../../../platform/changes/change.ts'
import { webUrl } from '../../../platform/http/urls.ts'
import { enqueueMails, isMailSent, type MailWriter } from '../../../platform/mail/mail.ts'
import { renewConfirmation } from '../emails/email-confirmation.service.ts'
import { writeAccountMail } from './account-mail.ts'

export const confirmationKind = 'confirmation'

interface ConfirmationPayload {
  emailId: number
}

/** Mails in an hour: anyone may add the addresses of others. */
const maxPerHour = 10

/** Asks the owner of an address to confirm it. */
export async function enqueueConfirmation(
  tx: Transaction,
  { emailId, ownerId: userId, now }: Change<'email.confirmation_requested'>,
): Promise<void> {
  if (!isMailSent()) return
  const recent = { userId, kind: confirmationKind, since: now - 60 * 60_000 }
  if ((await countRecentMails(tx, recent)) >= maxPerHour) return
  const payload: ConfirmationPayload = { emailId }
  const key = `${confirmationKind}:${randomUUID()}`
  await enqueueMails(tx, [{ key, kind: confirmationKind, userId, payload }], now)
}

/** The token of the change is stored as a hash only, so the mail gets one of its own. */
export const writeConfirmation: MailWriter = (app, mail) =>
  writeAccountMail(app, mail, async ({ username }) => {
    const { emailId } = mail.payload as ConfirmationPayload
    const renewed = await renewConfirmation(app, { id: emailId, userId: mail.userId })
    if (renewed === undefined) return undefined
    const path = `users/confirmation?confirmation_token=${renewed.token}`
    return {
      address: renewed.address,
      subject: 'Confirm your e-mail address',
      paragraphs: [
        `The address ${renewed.address} was added to the account ${username}.`,
        { link: webUrl(app.config, path), label: 'Confirm the address' },
        'The link works once, within three days. If you know nothing of it, ignore this mail: the address then counts for nothing.',
      ],
    }
  })
