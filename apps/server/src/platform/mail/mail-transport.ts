import type { NodemailerError, SendMailOptions } from 'nodemailer'
import type { MailConfig } from '../config/mail-config.ts'

/** Hands messages to an SMTP server. */
export interface MailTransport {
  /**
   * Resolves once the server has accepted the message.
   * @throws MailRefusedError if it never will; any other error may pass
   */
  send: (message: SendMailOptions, signal: AbortSignal) => Promise<void>
  close: () => void
}

/** The server refuses the message or its recipient for good: sending it again is pointless. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError'
}

/** Opens a transport; it connects for each message, since servers close idle connections. */
export async function openMailTransport(config: MailConfig): Promise<MailTransport> {
  // Servers that send no mail need not load it.
  const { default: nodemailer } = await import('nodemailer')
  const { host, port, secure, credentials, starttls, verifyCertificate, limits } = config
  const transporter = nodemailer.createTransport({
    dnsTimeout: limits.connectMs,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.silenceMs,
    socketTimeout: limits.silenceMs,
    host,
    port,
    secure,
    requireTLS: !secure && starttls === 'required',
    ignoreTLS: starttls === 'never',
    tls: { rejectUnauthorized: verifyCertificate },
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    logger: false,
  })
  return {
    async send(message, stop) {
      const signal = AbortSignal.any([
        AbortSignal.timeout(limits.messageMs),
        afterGrace(stop, limits.stopMs),
      ])
      try {
        await transporter.sendMail({ ...message, signal })
      } catch (error) {
        throw isRefusal(error) ? new MailRefusedError(messageOf(error)) : error
      }
    },
    close: () => transporter.close(),
  }
}

/**
 * Aborts a while after `stop`: whoever interrupts a transfer does not learn whether the server has
 * accepted the message.
 */
function afterGrace(stop: AbortSignal, graceMs: number): AbortSignal {
  const controller = new AbortController()
  const start = () => setTimeout(() => controller.abort(stop.reason), graceMs).unref()
  if (stop.aborted) start()
  else stop.addEventListener('abort', start, { once: true })
  return controller.signal
}

/**
 * Whether the server refused the recipient or the text for good. What it says about the sender or
 * the credentials is about the configuration, which an administrator can mend.
 */
function isRefusal(error: unknown): error is NodemailerError {
  if (!(error instanceof Error)) return false
  const { permanent, command } = error as NodemailerError
  return permanent === true && (command === 'RCPT TO' || command === 'DATA')
}

/** What a server says may have any length; in characters. */
const maxReasonLength = 500

function messageOf({ responseCode, message }: NodemailerError): string {
  return `${responseCode ?? ''} ${message}`.trim().slice(0, maxReasonLength)
}
