import { hash } from 'node:crypto'
import { type Html, html } from '@stithy/web'
import type { Config } from '../config/config.ts'
import { bannerHtml, type MailFrame } from './mail-frame.ts'

/** Paragraphs of a mail, in both of its formats. */
export interface MailBody {
  text: string
  html: Html
}

/** A sentence, or a link on a line of its own. */
export type Paragraph = string | { link: string; label: string }

/** Writes paragraphs in both formats. */
export function paragraphs(parts: readonly Paragraph[]): MailBody {
  const text = parts.map((part) =>
    typeof part === 'string' ? part : `${part.label}:\n${part.link}`,
  )
  const markup = parts.map((part) =>
    typeof part === 'string'
      ? html`<p>${part}</p>\n`
      : html`<p><a href="${part.link}">${part.label}</a></p>\n`,
  )
  return { text: text.join('\n\n'), html: html`${markup}` }
}

/** A mail client shows what is between these lines apart (RFC 3676). */
const signature = '-- '

/** The plain text of a mail, with a footer of several lines. */
export function plainText(
  body: string,
  footer: readonly MailBody[],
  { above, below }: MailFrame,
): string {
  const begin = above === undefined ? '' : `${above.text}\n\n`
  const lines = [...footer.map(({ text }) => text), ...(below === undefined ? [] : [below.text])]
  const end = lines.length === 0 ? '' : `\n\n${signature}\n${lines.join('\n')}`
  return `${begin}${body.trimEnd()}${end}\n`
}

const style = 'font-family: sans-serif; font-size: 14px; line-height: 1.5'
const footerStyle = 'color: #666; font-size: 12px'

/** The HTML of a mail: a whole document that loads nothing from anywhere. */
export function htmlDocument(
  title: string,
  body: Html,
  footer: readonly MailBody[],
  { above, below }: MailFrame,
): string {
  const lines = footer.map((line, at) => (at === 0 ? line.html : html`<br>\n${line.html}`))
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
</head>
<body style="${style}">
${bannerHtml(above)}<div>
${body}
</div>
${footer.length > 0 && html`<p style="${footerStyle}">—<br>\n${lines}</p>\n`}
${bannerHtml(below)}</body>
</html>
`.text
}

/** The host that the ids of messages and lists end with. */
export function mailHost({ externalUrl }: Config): string {
  return new URL(externalUrl).hostname
}

/** The id of the message of a mail: the same at every attempt to send it. */
export function messageIdOf(config: Config, key: string): string {
  return `${hash('sha256', key, 'hex').slice(0, 40)}@${mailHost(config)}`
}
