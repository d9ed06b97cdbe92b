import { findMail, finishMail, type MailRow, removeOldMails } from '@stithy/store'
import type { App } from '../app.ts'
import type { JobHandler } from '../jobs/run-job.ts'
import { sendMailKind } from './mail.ts'
import { buildMessage } from './mail-message.ts'
import { mailSettingsOf } from './mail-settings.ts'
import { MailRefusedError } from './mail-transport.ts'

/**
 * Sends one mail. Its outcome is recorded together with that of the job: only a crash between the
 * server's reply and that record sends it again, with the same `Message-ID`.
 */
export const sendMailJob: JobHandler = {
  kind: sendMailKind,
  async run(app, payload, signal, job) {
    const mail = await findMail(app.db, (payload as { mailId: number }).mailId)
    if (mail?.state !== 'waiting') return
    const state = await send(app, mail, signal)
    await app.db.transaction(async (tx) => {
      await finishMail(tx, { id: mail.id, state, now: app.now() })
      await job.complete(tx)
    })
  },
}

/** @throws an error that may pass */
async function send(
  app: App,
  mail: MailRow,
  signal: AbortSignal,
): Promise<'sent' | 'dropped' | 'refused'> {
  const { mail: config } = app.config
  const content = await app.mailWriters[mail.kind]?.(app, mail)
  if (content === undefined || config === undefined) return 'dropped'
  const settings = { ...mailSettingsOf(app), frame: await app.mailFrame(app) }
  const message = buildMessage(config, settings, content, mail.createdAt)
  try {
    await app.mailTransport?.send(message, signal)
    app.counters.add('mails.sent')
    return 'sent'
  } catch (error) {
    app.counters.add('mails.failed')
    if (!(error instanceof MailRefusedError)) throw error
    app.log.warn({ mail: mail.id, kind: mail.kind, reason: error.message }, 'a mail was refused')
    return 'refused'
  }
}

const retentionMs = 30 * 24 * 60 * 60_000
/** Mails per transaction, so that other writers do not have to wait. */
const batch = 500

/** Deletes what is known of mails older than a month; scheduled once a day. */
export const removeOldMailsJob: JobHandler = {
  kind: 'mail.remove_old',
  async run(app, _, signal) {
    const cutoff = app.now() - retentionMs
    while (!signal.aborted) {
      const removed = await app.db.transaction((tx) => removeOldMails(tx, { cutoff, limit: batch }))
      if (removed < batch) return
    }
  },
}
