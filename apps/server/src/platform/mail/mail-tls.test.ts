// TLS to the SMTP server: from the first byte (`smtps://`), by STARTTLS where it is offered (RFC 3207),
// and no mail without it where it is required; certificates are checked unless that is switched off;
// where TLS is required, neither a password nor a mail crosses the network in clear text.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import tls from 'node:tls'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { buildCertificate } from '../../testing/certificate.ts'
import { mailConfig } from '../../testing/clients/mail-server.ts'
import type { MailConfig } from '../config/mail-config.ts'
import { MailRefusedError, openMailTransport } from './mail-transport.ts'

const certificate = buildCertificate('localhost')
const trusted = tls.getCACertificates('default')
const credentials = { user: 'someone', password: 'very-secret' }
/** The password as AUTH PLAIN and AUTH LOGIN send it. */
const encoded = ['\0someone\0very-secret', 'very-secret'].map((text) =>
  Buffer.from(text).toString('base64'),
)

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
  tls.setDefaultCACertificates(trusted)
})

/** Listens on a free port until the test ends. */
async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    // Destroying what TLS runs over would crash Node.
    for (const socket of sockets) socket.unref()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Hands a message over; returns undefined, or the error. */
async function send(port: number, config: Partial<MailConfig> = {}): Promise<unknown> {
  const url = `${config.secure ? 'smtps' : 'smtp'}://localhost:${port}`
  const transport = await openMailTransport({ ...mailConfig(url), ...config })
  const message = { from: 'a@example.com', to: 'b@example.com', text: 'Hello' }
  const signal = new AbortController().signal
  const error = await transport.send(message, signal).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  transport.close()
  return error
}

/** A server with TLS; `seen` says over what mails and passwords came. */
async function startTlsServer(options: SMTPServerOptions = {}) {
  const seen: string[] = []
  const over = ({ secure }: { secure: boolean }) => (secure ? 'tls' : 'clear text')
  const smtp = new SMTPServer({
    ...certificate,
    authOptional: true,
    allowInsecureAuth: true,
    onAuth(auth, session, callback) {
      seen.push(`password over ${over(session)}`)
      callback(null, { user: auth.username })
    },
    onData(stream, session, callback) {
      stream.resume()
      stream.on('end', () => {
        seen.push(`mail over ${over(session)}`)
        callback(null)
      })
    },
    ...options,
  })
  smtp.on('error', () => {})
  return { port: await listen(smtp.server), seen }
}

/** Has certificates checked against this one, as if an authority of the system had made it. */
const trust = (cert: string) => tls.setDefaultCACertificates([cert])

const required = { starttls: 'required', credentials } as const
const secure = { secure: true, credentials }

describe.each([
  ['smtps://', secure, { secure: true }],
  ['STARTTLS', required, {}],
] as const)('%s', (_, config, options) => {
  it('hands mail and password over, encrypted, to a server with a valid certificate', async () => {
    const { port, seen } = await startTlsServer(options)
    trust(certificate.cert)
    expect(await send(port, config)).toBeUndefined()
    expect(seen).toEqual(['password over tls', 'mail over tls'])
  })

  it('refuses a certificate that nobody trusts, for now', async () => {
    const { port, seen } = await startTlsServer(options)
    const error = await send(port, config)
    expect(error).toMatchObject({ message: expect.stringContaining('self-signed certificate') })
    expect(error).not.toBeInstanceOf(MailRefusedError)
    expect(seen).toEqual([])
  })

  it('refuses a certificate of another host', async () => {
    const { port, seen } = await startTlsServer(options)
    trust(certificate.cert)
    const error = await send(port, { ...config, host: '127.0.0.1' })
    expect(error).toMatchObject({ message: expect.stringContaining('does not match') })
    expect(seen).toEqual([])
  })

  it('takes any certificate without `smtp_verify_certificate`', async () => {
    const { port, seen } = await startTlsServer(options)
    expect(await send(port, { ...config, verifyCertificate: false })).toBeUndefined()
    expect(seen).toEqual(['password over tls', 'mail over tls'])
  })
})

describe('STARTTLS that is not required', () => {
  it('is used where it is offered, and not with `never`', async () => {
    const { port, seen } = await startTlsServer()
    trust(certificate.cert)
    expect(await send(port, { starttls: 'offered' })).toBeUndefined()
    expect(await send(port, { starttls: 'never', credentials })).toBeUndefined()
    expect(seen).toEqual(['mail over tls', 'password over clear text', 'mail over clear text'])
  })

  it('is not needed for a mail without a password, where it is only `offered`', async () => {
    const { port, seen } = await startTlsServer({ disabledCommands: ['STARTTLS'] })
    expect(await send(port, { starttls: 'offered' })).toBeUndefined()
    expect(seen).toEqual(['mail over clear text'])
  })
})

interface Talk {
  /** What the client wrote in clear text. */
  clear: string
  /** What it wrote over TLS. */
  encrypted: string
}

/**
 * A server that somebody sits in front of: it answers each command in clear text with `answers`, and
 * after STARTTLS, unless that is refused, it speaks TLS, and wants none of what is asked.
 */
async function startMeddler(answers: Record<string, string>) {
  const talk: Talk = { clear: '', encrypted: '' }
  const answerTo = (line: string, over: keyof Talk) => {
    const [command = ''] = line.trim().toUpperCase().split(' ')
    return (over === 'clear' ? answers[command] : undefined) ?? '421 bye\r\n'
  }
  const server = createServer((socket) => {
    socket.write('220 hello\r\n')
    const onClear = (data: Buffer) => {
      talk.clear += String(data)
      const answer = answerTo(String(data), 'clear')
      socket.write(answer)
      if (!/^starttls/i.test(String(data)) || !answer.startsWith('220')) return
      socket.off('data', onClear)
      const encrypted = new tls.TLSSocket(socket, { isServer: true, ...certificate })
      encrypted.on('error', () => {})
      encrypted.on('data', (part: Buffer) => {
        talk.encrypted += String(part)
        encrypted.write(answerTo(String(part), 'encrypted'))
      })
    }
    socket.on('data', onClear)
  })
  return { port: await listen(server), talk }
}

const offers = '250-meddler\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN\r\n'

describe('where STARTTLS is required, no password and no mail is sent', () => {
  it.each([
    ['it is not offered', { EHLO: '250-meddler\r\n250 AUTH PLAIN LOGIN\r\n' }],
    ['it is refused', { EHLO: offers, STARTTLS: '454 not now\r\n' }],
    ['it is answered with other text than TLS', { EHLO: offers, STARTTLS: '220 go\r\n250 ok\r\n' }],
    ['EHLO is refused', { EHLO: '502 what?\r\n', HELO: '250 hello\r\n' }],
  ])('where %s', async (_, answers) => {
    const { port, talk } = await startMeddler(answers)
    const error = await send(port, { ...required, verifyCertificate: false })
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(MailRefusedError)
    expect(talk.clear).toMatch(/^EHLO/)
    for (const text of ['AUTH', 'MAIL FROM', 'RCPT', 'Hello', ...encoded]) {
      expect(talk.clear).not.toContain(text)
    }
  })
})

describe('a refusal of any length', () => {
  it('is cut before it is logged', async () => {
    const refusal = `550-${'x'.repeat(100_000)}\r\n550 no\r\n`
    const answers = { EHLO: '250 meddler\r\n', MAIL: '250 ok\r\n', RCPT: refusal }
    const { port } = await startMeddler(answers)
    const error = await send(port, { starttls: 'offered' })
    expect(error).toBeInstanceOf(MailRefusedError)
    expect((error as Error).message.length).toBeLessThanOrEqual(500)
  })
})

describe('answers in clear text behind the one to STARTTLS', () => {
  it('are not taken for answers over TLS', async () => {
    // A client that keeps them takes the first for the answer to its next EHLO (CVE-2021-38371).
    const injected = '220 go\r\n250-meddler\r\n250 AUTH PLAIN\r\n235 welcome\r\n'
    const { port, talk } = await startMeddler({ EHLO: offers, STARTTLS: injected })
    const error = await send(port, { ...required, verifyCertificate: false })
    expect(error).toBeInstanceOf(Error)
    expect(talk.encrypted).toMatch(/^EHLO [^\r\n]+\r\n$/)
  })
})
