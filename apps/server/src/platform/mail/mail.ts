import { enqueueJob, insertMail, type NewMail, type Transaction } from '@stithy/store'
import type { App } from '../app.ts'
import { mailQueue } from '../jobs/queues.ts'
import type { MailFrame } from './mail-frame.ts'
import type { MailContent } from './mail-message.ts'
import type { MailTransport } from './mail-transport.ts'

/** A stored mail that is about to be sent. */
export interface QueuedMail {
  /** Unique per mail. */
  key: string
  userId: number
  payload: unknown
  /** Milliseconds since the epoch. */
  createdAt: number
}

/**
 * Writes a mail when it is sent, with the rights and settings of that moment; undefined if it is not
 * to be sent any more. It may be called again for the same mail.
 */
export type MailWriter = (app: App, mail: QueuedMail) => Promise<MailContent | undefined>

declare module '../app.ts' {
  interface App {
    /** Undefined while no SMTP server is configured. */
    mailTransport: MailTransport | undefined
    /** What administrators put around every mail. */
    mailFrame: (app: App) => Promise<MailFrame>
    /** What writes each kind of mail. */
    mailWriters: Readonly<Record<string, MailWriter>>
  }
}

/** Kind of the job that sends one mail. */
export const sendMailKind = 'mail.send'

/** About a day, with the pauses between them. */
const attempts = 15

/** Apps of this process that send mail. */
let senders = 0

/** Notes that an app sends mail, until the returned function is called. */
export function noteMailSender(): () => void {
  senders += 1
  return () => {
    senders -= 1
  }
}

/**
 * Whether mail is sent at all: effects of changes, which know no configuration, leave out their jobs
 * otherwise.
 */
export function isMailSent(): boolean {
  return senders > 0
}

/**
 * Stores mails and enqueues their jobs, in the transaction of what causes them. A mail with a key
 * that was used before is not sent again.
 */
export async function enqueueMails(
  tx: Transaction,
  mails: readonly NewMail[],
  now: number,
): Promise<void> {
  if (!isMailSent()) return
  for (const mail of mails) {
    const mailId = await insertMail(tx, mail, now)
    if (mailId === undefined) continue
    const job = { queue: mailQueue, kind: sendMailKind, payload: { mailId }, maxAttempts: attempts }
    await enqueueJob(tx, job, now)
  }
}
