import { html } from '@stithy/web'
import type { SendMailOptions } from 'nodemailer'
import type { Mailbox, MailConfig } from '../config/mail-config.ts'
import type { MailFrame } from './mail-frame.ts'
import { htmlDocument, type MailBody, plainText } from './mail-layout.ts'
import type { MailSettings } from './mail-settings.ts'

/** A mail as it is to be sent. */
export interface MailContent {
  to: Mailbox
  /** Shown as the sender, with the address of the instance; by default its name. */
  fromName?: string | undefined
  subject: string
  body: MailBody
  /** Lines. */
  footer: readonly MailBody[]
  /** Without angle brackets: `issue_1@code.example.com`. */
  messageId: string
  /** The first message of the thread. */
  inReplyTo?: string | undefined
  /** Further headers, by their names. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** A long header is folded, but some servers refuse thousands of characters. */
const maxHeaderLength = 500

/** Builds the message that an SMTP client sends, at `now` in milliseconds since the epoch. */
export function buildMessage(
  { from, replyTo }: Pick<MailConfig, 'from' | 'replyTo'>,
  { sendsHtml, additionalText, frame }: MailSettings & { frame: MailFrame },
  content: MailContent,
  now: number,
): SendMailOptions {
  const { to, fromName = '', subject, body, inReplyTo } = content
  const headers = headersOf(content.headers ?? {})
  const written = new Map(Object.keys(headers).map((name) => [name.toLowerCase(), name]))
  const additional =
    additionalText === '' ? [] : [{ text: additionalText, html: html`${additionalText}` }]
  const footer = [...content.footer, ...additional]
  const reference = inReplyTo === undefined ? {} : threadHeaders(inReplyTo)
  return {
    from: mailbox({ name: fromName === '' ? from.name : fromName, address: from.address }),
    to: mailbox(to),
    // As a text, an address would be read again as a list of addresses, with comments and groups.
    envelope: { from: from.address, to: [mailbox({ name: '', address: to.address })] },
    subject: headerText(subject),
    date: new Date(now),
    messageId: `<${headerText(content.messageId)}>`,
    ...reference,
    ...(replyTo === undefined ? {} : { replyTo: mailbox(replyTo) }),
    headers,
    // Header names have no case, but some filters compare them as they are written here.
    normalizeHeaderKey: (name) => written.get(name.toLowerCase()) ?? name,
    text: plainText(body.text, footer, frame),
    ...(sendsHtml ? { html: htmlDocument(subject, body.html, footer, frame) } : {}),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

function threadHeaders(messageId: string): Pick<SendMailOptions, 'inReplyTo' | 'references'> {
  const id = `<${headerText(messageId)}>`
  return { inReplyTo: id, references: id }
}

/** Marks the mail as automatic (RFC 3834), so that no out-of-office notice answers it. */
const automatic = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

function headersOf(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries({ ...automatic, ...headers })
  return Object.fromEntries(entries.map(([name, value]) => [name, headerText(value)]))
}

function mailbox({ name, address }: Mailbox): { name: string; address: string } {
  return { name: headerText(name), address: headerText(address) }
}

/**
 * A text for a header: one line, so that no title or name adds a header, and without characters that
 * change the direction of what follows.
 */
export function headerText(text: string): string {
  const line = text
    .slice(0, 4 * maxHeaderLength)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
  return line.length <= maxHeaderLength
    ? line.toWellFormed()
    : `${line.slice(0, maxHeaderLength - 1).toWellFormed()}…`
}
