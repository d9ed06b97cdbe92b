import type { Transaction } from '@stithy/store'
import type { Change } from '../../../platform/changes/change.ts'
import { webUrl } from '../../../platform/http/urls.ts'
import { enqueueMails, type MailWriter } from '../../../platform/mail/mail.ts'
import { writeAccountMail } from './account-mail.ts'

export const keyKind = 'key_added'

interface KeyPayload {
  /** In OpenSSH's one-line form; a public key is no secret. */
  key: string
}

/** Tells users of every new SSH key of theirs, since it may be somebody else's. */
export async function enqueueKeyMail(
  tx: Transaction,
  { keyId, key, ownerId: userId, now }: Change<'key.created'>,
): Promise<void> {
  const payload: KeyPayload = { key }
  await enqueueMails(tx, [{ key: `${keyKind}:${keyId}`, kind: keyKind, userId, payload }], now)
}

export const writeKeyMail: MailWriter = (app, mail) =>
  writeAccountMail(app, mail, async ({ username }) => ({
    subject: 'An SSH key was added to your account',
    paragraphs: [
      `This key can now be used to sign in to git as ${username}:`,
      (mail.payload as KeyPayload).key,
      {
        link: webUrl(app.config, ''),
        label: 'If it is not yours, remove it and change your password',
      },
    ],
  }))
