import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerError } from 'smtp-server'
import { loadConfig } from '../../platform/config/config.ts'
import type { MailConfig, MailLimits } from '../../platform/config/mail-config.ts'

/** A mail that arrived. */
export interface ReceivedMail extends ParsedMail {
  /** The addresses of the envelope. */
  recipients: string[]
  raw: string
}

/** What the server does with the next mails. */
export type MailBehaviour =
  | 'accept'
  /** 451 for the recipient. */
  | 'refuse_for_now'
  /** 550 for the recipient. */
  | 'refuse'
  /** 550 for the sender, as servers do that want other credentials. */
  | 'refuse_sender'
  /** Takes the message and never answers. */
  | 'hang'
  /** Takes the message, keeps it, and closes the connection instead of an answer. */
  | 'drop_after_accepting'

export interface TestMailServer {
  /** For `buildTestServer`; `limits` shortens the time that it waits. */
  config: (limits?: Partial<MailLimits>) => MailConfig
  behave: (behaviour: MailBehaviour) => void
  /** The mails that arrived since the last call, by their recipients. */
  take: () => ReceivedMail[]
  /** How many recipients were named, refused ones included. */
  attempts: () => number
  /** The passwords that clients sent. */
  passwords: () => readonly string[]
  close: () => Promise<void>
}

function reply(responseCode: number, message: string): SMTPServerError {
  return Object.assign(new Error(message), { responseCode })
}

/** Starts a real SMTP server on a free port. */
export async function startMailServer(): Promise<TestMailServer> {
  let behaviour: MailBehaviour = 'accept'
  let attempts = 0
  const passwords: string[] = []
  let received: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const server = new SMTPServer({
    authOptional: true,
    // As servers do that an attacker put in between.
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, callback) {
      passwords.push(password ?? '')
      callback(null, { user: username })
    },
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, callback) =>
      callback(behaviour === 'refuse_sender' ? reply(550, 'Not you') : null),
    onRcptTo(_address, _session, callback) {
      attempts += 1
      if (behaviour === 'refuse') return callback(reply(550, 'No such mailbox'))
      if (behaviour === 'refuse_for_now') return callback(reply(451, 'Try again later'))
      callback(null)
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        if (behaviour === 'hang') return
        const raw = Buffer.concat(chunks).toString()
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        const parsed = await simpleParser(raw)
        received.push({ ...parsed, recipients, raw })
        if (behaviour !== 'drop_after_accepting') return callback(null)
        for (const socket of sockets) socket.destroy()
      })
    },
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    config: (limits) => mailConfig(`smtp://127.0.0.1:${port}`, limits),
    behave(next) {
      behaviour = next
    },
    take() {
      const taken = received.toSorted((a, b) => compare(String(a.recipients), String(b.recipients)))
      received = []
      return taken
    },
    attempts: () => attempts,
    passwords: () => passwords,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))

/** The configuration of mail over the server of a URL. */
export function mailConfig(url: string, limits: Partial<MailLimits> = {}): MailConfig {
  const flags = { smtp_url: url, mail_from: 'Stithy <git@stithy.test>' }
  const { mail } = loadConfig({ flags })
  if (mail === undefined) throw new Error('no mail is configured')
  return { ...mail, limits: { ...mail.limits, ...limits } }
}
