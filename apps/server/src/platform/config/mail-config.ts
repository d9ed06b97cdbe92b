import { emailErrors } from '@stithy/core'
import { z } from 'zod'

const mailbox = z
  .string()
  .refine((text) => parseMailbox(text) !== undefined, {
    error: 'it must be an address, or a name and an address: Stithy <git@example.com>',
  })
  .optional()

/** The settings of outgoing mail, by their names in the configuration file. */
export const mailSettings = {
  smtp_url: z
    .string()
    .refine((text) => text === '' || parseSmtpUrl(text) !== undefined, {
      error: 'it must be a smtp:// or smtps:// URL with a host and no path',
    })
    .default(''),
  smtp_starttls: z.enum(['auto', 'always', 'never']).default('auto'),
  smtp_verify_certificate: z.union([z.boolean(), z.stringbool()]).default(true),
  mail_from: mailbox,
  mail_reply_to: mailbox,
} as const

const settings = z.object(mailSettings)

/** A name, which may be empty, and an address. */
export interface Mailbox {
  name: string
  address: string
}

/** The SMTP server that mail is handed to, and as whom. */
export interface MailConfig {
  host: string
  port: number
  /** TLS from the first byte (`smtps://`). */
  secure: boolean
  /** Undefined if the server wants no credentials. */
  credentials: { user: string; password: string } | undefined
  starttls: 'required' | 'offered' | 'never'
  verifyCertificate: boolean
  from: Mailbox
  replyTo: Mailbox | undefined
  limits: MailLimits
}

/** How long an SMTP server may take, in milliseconds. */
export interface MailLimits {
  /** To be found and to accept a connection. */
  connectMs: number
  /** Without a word, from the greeting on. */
  silenceMs: number
  /** A whole message, however slowly it answers. */
  messageMs: number
  /** A message that is on its way when the worker stops. */
  stopMs: number
}

const defaultLimits: MailLimits = {
  connectMs: 10_000,
  silenceMs: 30_000,
  messageMs: 90_000,
  stopMs: 5000,
}

/** Undefined if no server is configured: then no mail is sent. */
export function mailConfigOf(
  input: z.output<typeof settings>,
  externalUrl: string,
): MailConfig | undefined {
  const server = parseSmtpUrl(input.smtp_url)
  if (server === undefined) return undefined
  const sender = input.mail_from ?? `noreply@${new URL(externalUrl).hostname}`
  const { name, address } = parseMailbox(sender) ?? { name: '', address: sender }
  return {
    ...server,
    starttls: starttlsOf(input.smtp_starttls, server),
    verifyCertificate: input.smtp_verify_certificate,
    from: { name: name === '' ? 'Stithy' : name, address },
    replyTo: input.mail_reply_to === undefined ? undefined : parseMailbox(input.mail_reply_to),
    limits: defaultLimits,
  }
}

type Server = Pick<MailConfig, 'host' | 'port' | 'secure' | 'credentials'>

/** A password never crosses a network in clear text, unless `never` asks for it. */
function starttlsOf(
  choice: 'auto' | 'always' | 'never',
  { host, credentials }: Server,
): MailConfig['starttls'] {
  if (choice === 'never') return 'never'
  const isLocal = host === 'localhost' || host === '127.0.0.1' || host === '::1'
  const needsIt = choice === 'always' || (credentials !== undefined && !isLocal)
  return needsIt ? 'required' : 'offered'
}

/** Parses `smtp://user:password@host:587`; undefined for anything else. */
function parseSmtpUrl(text: string): Server | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const secure = url.protocol === 'smtps:'
  if (!secure && url.protocol !== 'smtp:') return undefined
  if (url.hostname === '' || !['', '/'].includes(url.pathname)) return undefined
  if (url.search !== '' || url.hash !== '') return undefined
  const [user, password] = [decode(url.username), decode(url.password)]
  if (user === undefined || password === undefined) return undefined
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    credentials: user === '' ? undefined : { user, password },
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Parses `Name <address>` or `address`; undefined for anything else. */
function parseMailbox(text: string): Mailbox | undefined {
  const start = text.lastIndexOf('<')
  const bracketed = start >= 0 && text.endsWith('>')
  const name = bracketed ? text.slice(0, start).trim() : ''
  const address = bracketed ? text.slice(start + 1, -1) : text
  if (emailErrors(address).length > 0 || name.length > 255 || /\p{Cc}/u.test(name)) return undefined
  return { name, address }
}
