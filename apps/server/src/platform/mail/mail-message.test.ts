// No title, name or address adds a header or a recipient to a mail; plain text and HTML; the settings
// `html_emails_enabled` and `email_additional_text`.

import { html } from '@stithy/web'
import { type ParsedMail, simpleParser } from 'mailparser'
import { createTransport } from 'nodemailer'
import { describe, expect, it } from 'vitest'
import type { MailFrame } from './mail-frame.ts'
import { buildMessage, headerText, type MailContent } from './mail-message.ts'
import type { MailSettings } from './mail-settings.ts'

const sender = {
  from: { name: 'Stithy', address: 'git@stithy.test' },
  replyTo: { name: 'Help', address: 'help@stithy.test' },
}
const standard: MailSettings & { frame: MailFrame } = {
  sendsHtml: true,
  namesAuthor: false,
  additionalText: '',
  frame: { above: undefined, below: undefined },
}
const content: MailContent = {
  to: { name: 'Ada', address: 'ada@example.com' },
  fromName: 'Bob',
  subject: 'Project | Title (#1)',
  body: { text: 'Hello', html: html`<p>Hello</p>` },
  footer: [{ text: 'Bye', html: html`<b>Bye</b>` }],
  messageId: 'abc@stithy.test',
}

interface Written extends ParsedMail {
  raw: string
  envelope: { from: string | false; to: string[] }
}

async function write(overrides: Partial<MailContent> = {}, settings = standard): Promise<Written> {
  const transport = createTransport({ streamTransport: true, buffer: true })
  const message = buildMessage(sender, settings, { ...content, ...overrides }, 1_700_000_000_000)
  const { message: bytes, envelope } = await transport.sendMail(message)
  const raw = String(bytes)
  return { ...(await simpleParser(raw)), raw, envelope: envelope as Written['envelope'] }
}

/** The names of the headers, in order. */
const headerNames = ({ headerLines }: Written) => headerLines.map(({ key }) => key)

describe('a mail', () => {
  it('has its headers, and both formats', async () => {
    const mail = await write({ inReplyTo: 'first@stithy.test', headers: { 'X-One': '1' } })
    expect(mail.from?.value).toEqual([{ name: 'Bob', address: 'git@stithy.test' }])
    expect(mail.replyTo?.value).toEqual([{ name: 'Help', address: 'help@stithy.test' }])
    expect(mail.subject).toBe('Project | Title (#1)')
    expect(mail.messageId).toBe('<abc@stithy.test>')
    expect([mail.inReplyTo, mail.references]).toEqual([
      '<first@stithy.test>',
      '<first@stithy.test>',
    ])
    expect(mail.date?.getTime()).toBe(1_700_000_000_000)
    expect(mail.headers.get('x-one')).toBe('1')
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated')
    expect(mail.text?.trim()).toBe('Hello\n\n-- \nBye')
    expect(mail.html).toContain('<p>Hello</p>')
    expect(mail.html).toContain('<b>Bye</b>')
    expect(mail.envelope).toEqual({ from: 'git@stithy.test', to: ['ada@example.com'] })
  })

  const evil = 'x\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>'

  it.each<[string, Partial<MailContent>]>([
    ['subject', { subject: evil }],
    ['name of the sender', { fromName: `${evil} <eve@example.com>, ` }],
    ['name of the recipient', { to: { name: evil, address: 'ada@example.com' } }],
    ['value of a header', { headers: { 'X-One': evil } }],
    ['id', { messageId: evil, inReplyTo: evil }],
    ['line separator', { subject: 'a\u2028Bcc: eve@example.com\u2029\u0000' }],
  ])('has no other header or recipient, whatever the %s contains', async (_, overrides) => {
    const plain = new Set([...headerNames(await write()), 'x-one', 'in-reply-to', 'references'])
    const mail = await write(overrides)
    expect(headerNames(mail).filter((name) => !plain.has(name))).toEqual([])
    expect(mail.envelope).toEqual({ from: 'git@stithy.test', to: ['ada@example.com'] })
    expect(mail.bcc).toBeUndefined()
    expect(mail.text?.trim()).toBe('Hello\n\n-- \nBye')
    expect(mail.from?.value.map(({ address }) => address)).toEqual(['git@stithy.test'])
  })

  it.each([
    ['a(b)@c.d', '"a(b)"@c.d'],
    ['a:b@c.d', '"a:b"@c.d'],
    ['eve@evil.test(.example.com', 'eve@evil.test(.example.com'],
  ])('goes to no part of the address %s', async (address, recipient) => {
    const { envelope } = await write({ to: { name: 'Ada', address } })
    expect(envelope.to).toEqual([recipient])
  })

  it('has the title of its HTML escaped', async () => {
    const { html: written } = await write({ subject: '</title><script>alert(1)</script>' })
    expect(written).not.toContain('<script>')
  })

  it('is plain text alone without `html_emails_enabled`', async () => {
    const mail = await write({}, { ...standard, sendsHtml: false })
    expect(mail.html).toBe(false)
    expect(mail.headers.get('content-type')).toMatchObject({ value: 'text/plain' })
  })

  it('ends with `email_additional_text`, escaped', async () => {
    const mail = await write({}, { ...standard, additionalText: 'Example & Co <b>' })
    expect(mail.text?.trim()).toBe('Hello\n\n-- \nBye\nExample & Co <b>')
    expect(mail.html).toContain('Example &amp; Co &lt;b&gt;')
  })
})

describe('a frame', () => {
  const frame = {
    above: { text: 'Closed on Friday <b>', background: '#e75e40', color: '#ffffff' },
    below: { text: 'Example Ltd', background: '#e75e40', color: '#ffffff' },
  }

  it('is above and below the text, escaped and in its colors', async () => {
    const mail = await write({}, { ...standard, frame })
    expect(mail.text?.trim()).toBe('Closed on Friday <b>\n\nHello\n\n-- \nBye\nExample Ltd')
    const html = String(mail.html)
    expect(html).toContain('Closed on Friday &lt;b&gt;')
    expect(html).toContain('background: #e75e40; color: #ffffff')
    const places = ['Friday', 'Hello', 'Bye', 'Example Ltd'].map((text) => html.indexOf(text))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })
})

describe('headerText', () => {
  it('is one line of at most 500 characters without changes of direction', () => {
    expect(headerText(' a\tb\r\nc\u202ed ')).toBe('a b  cd')
    expect(headerText('x'.repeat(1_000_000))).toHaveLength(500)
    expect(headerText(`${'x'.repeat(498)}😀😀`).isWellFormed()).toBe(true)
  })
})
