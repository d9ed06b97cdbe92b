import { isCreation } from '@stithy/core'
import {
  findMailRecipient,
  findNoteBody,
  findNoteOn,
  findUserRefs,
  listLabelsOf,
  type MailRecipient,
  type NoteRow,
} from '@stithy/store'
import { html } from '@stithy/web'
import { type Item, noteableOf } from '../../planning/items/item.ts'
import { mayReadItem } from '../../planning/items/item-access.ts'
import { viewFlavored } from '../../planning/markdown/markdown-view.service.ts'
import type { App } from '../../platform/app.ts'
import type { MailWriter, QueuedMail } from '../../platform/mail/mail.ts'
import { type MailBody, messageIdOf } from '../../platform/mail/mail-layout.ts'
import type { MailContent } from '../../platform/mail/mail-message.ts'
import { mailSettingsOf } from '../../platform/mail/mail-settings.ts'
import { isStillDue } from '../notifications/due-issue.ts'
import type { NotificationPayload, NotificationReason } from '../notifications/notification.ts'
import { loadTarget } from '../notifications/notified-item.ts'
import { itemHeaders, itemUrl, subjectOf, threadId } from './item-headers.ts'
import { cutForMail, mailHtml } from './mail-html.ts'
import { type NotificationText, notificationText } from './notification-text.ts'
import { unsubscribeUrl } from './unsubscribe-link.ts'

/** A notification whose recipient may read what it is about. */
interface Notification {
  recipient: MailRecipient
  payload: NotificationPayload
  item: Item
  note: NoteRow | undefined
}

/**
 * Writes a notification about an item or a comment. Whether the recipient gets mail and may read it
 * is decided now, with their rights at this moment.
 */
export const writeNotification: MailWriter = async (app, mail) => {
  const notification = await readNotification(app, mail)
  if (notification === undefined) return undefined
  const { recipient, payload, item, note } = notification
  const names = await namesFor(app, notification)
  const nameOf = (userId: number) => names.get(userId) ?? 'Ghost User'
  const { event, actorId, previousAssigneeIds, reason } = payload
  const newLabels = await newLabelsOf(app, notification)
  if (event === 'relabel' && newLabels.length === 0) return undefined
  const { namesAuthor } = mailSettingsOf(app)
  const text = notificationText(event, item, {
    actor: nameOf(actorId),
    nameOf,
    noteBody: note?.body,
    previousAssigneeIds,
    newLabels,
    namesAuthor,
  })
  const isFirst = isCreation(event)
  const thread = threadId(app.config, item)
  const link = linkOf(app, recipient, item)
  const content: MailContent = {
    to: { name: recipient.name, address: recipient.address },
    fromName: nameOf(actorId),
    subject: `${isFirst ? '' : 'Re: '}${subjectOf(item)}`,
    body: await bodyOf(app, recipient, item, text),
    footer: footerOf(itemUrl(app.config, item, note?.id), reason, link),
    messageId: isFirst ? thread : messageIdOf(app.config, mail.key),
    inReplyTo: isFirst ? undefined : thread,
    headers: { ...itemHeaders(app.config, item, { note, reason }), ...listHeaders(link) },
  }
  return content
}

async function readNotification(app: App, mail: QueuedMail): Promise<Notification | undefined> {
  const payload = mail.payload as NotificationPayload
  const recipient = await findMailRecipient(app.db, mail.userId)
  if (recipient === undefined) return undefined
  const caller = { facts: factsOf(recipient) }
  const item = await loadTarget(app, payload.target, caller)
  if (item === undefined || !mayReadItem(app, item, caller)) return undefined
  const { noteId, dueDate } = payload
  if (dueDate !== undefined && !isStillDue(app, item, dueDate)) return undefined
  if (noteId === undefined) return { recipient, payload, item, note: undefined }
  const note = await findNoteOn(app.db, noteableOf(item), noteId)
  if (note === undefined) return undefined
  const body = note.body ?? (await findNoteBody(app.db, note.id)) ?? ''
  return { recipient, payload, item, note: { ...note, body } }
}

function factsOf({ id: userId, admin, external }: MailRecipient) {
  return { userId, admin, external }
}

async function namesFor(
  app: App,
  { payload, item }: Notification,
): Promise<ReadonlyMap<number, string>> {
  const assigneeIds = 'assigneeIds' in item ? item.assigneeIds : []
  const ids = [payload.actorId, ...assigneeIds, ...(payload.previousAssigneeIds ?? [])]
  const users = await findUserRefs(app.db, [...new Set(ids)])
  return new Map(users.map(({ id, name }) => [id, name]))
}

/** Titles of the labels that the item got and still has. */
async function newLabelsOf(app: App, { payload, item }: Notification): Promise<string[]> {
  const { newLabelIds } = payload
  if (newLabelIds === undefined || item.type === 'snippet' || item.type === 'commit') return []
  const labels = await listLabelsOf(app.db, { type: item.type, ids: [item.row.id] })
  return labels.filter(({ id }) => newLabelIds.includes(id)).map(({ title }) => title)
}

async function bodyOf(
  app: App,
  recipient: MailRecipient,
  item: Item,
  { sentence, quoted }: NotificationText,
): Promise<MailBody> {
  const { text, isCut } = cutForMail(quoted)
  const caller = { facts: factsOf(recipient), user: null, scopes: [] }
  const project = item.type === 'epic' ? undefined : item.project
  const rendered = text === '' ? '' : await viewFlavored(app, caller, project, text)
  const quotedHtml = await mailHtml(text, rendered, app.config.externalUrl)
  const end = isCut ? '(The rest of this text is left out.)' : ''
  return {
    text: [sentence, text, end].filter((part) => part !== '').join('\n\n'),
    html: html`${sentence !== '' && html`<p style="white-space: pre-line">${sentence}</p>\n`}${quotedHtml}${isCut && html`\n<p>${end}</p>`}`,
  }
}

const because: Readonly<Record<NotificationReason, string>> = {
  assigned: 'because you are or were assigned',
  mentioned: 'because you were mentioned',
  subscribed: 'because you subscribed to it',
}

function footerOf(
  url: string,
  reason: NotificationReason | undefined,
  unsubscribe: string | undefined,
): MailBody[] {
  const why = reason === undefined ? 'because of your account and its settings' : because[reason]
  const view = { text: `View it: ${url}`, html: html`<a href="${url}">View it on Stithy</a>` }
  const account = {
    text: `You receive this mail ${why}.`,
    html: html`You receive this mail ${why}.`,
  }
  if (unsubscribe === undefined) return [view, account]
  const end = {
    text: `Unsubscribe from this thread: ${unsubscribe}`,
    html: html`<a href="${unsubscribe}">Unsubscribe</a> from this thread`,
  }
  return [view, account, end]
}

function linkOf(app: App, { id: userId }: MailRecipient, item: Item): string | undefined {
  if (item.type === 'snippet' || item.type === 'commit') return undefined
  return unsubscribeUrl(app, { userId, type: item.type, id: item.row.id })
}

/** RFC 2369, and RFC 8058 for mail clients that unsubscribe by themselves. */
function listHeaders(link: string | undefined): Record<string, string> {
  if (link === undefined) return {}
  return {
    'List-Unsubscribe': `<${link}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}
