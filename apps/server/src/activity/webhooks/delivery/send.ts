import { type WebhookEvent, webhookEvents } from '@stithy/core'
import type { DeliveringHook, DeliveryOutcome } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { addressRule, isBlocked } from '../../../platform/outbound/address.ts'
import { basicAuth } from '../../../platform/outbound/basic-auth.ts'
import { version } from '../../../platform/version.ts'
import { openHookToken } from '../hook-token.ts'
import { maskedHeaders, maskedUrl } from './masking.ts'
import type { PostAnswer } from './post.ts'

/** What a delivery sends. */
export interface Sent {
  id: number
  event: string
  /** JSON. */
  payload: string
}

/** The log of an attempt. */
export type AttemptLog = Pick<
  DeliveryOutcome,
  | 'attemptedAt'
  | 'url'
  | 'requestHeaders'
  | 'responseStatus'
  | 'responseHeaders'
  | 'responseBody'
  | 'error'
  | 'duration'
>

/** The result of an attempt. */
export interface Attempt {
  log: AttemptLog
  /** Whether a retry would fail in the same way. */
  final: boolean
}

type Receiver = Pick<
  DeliveringHook,
  'kind' | 'projectId' | 'groupId' | 'url' | 'token' | 'enableSslVerification'
>

/**
 * Sends an event to a hook once. System hooks, which only administrators create, may go to local
 * addresses. Rejects only when the signal is given.
 */
export async function send(
  app: App,
  hook: Receiver,
  delivery: Sent,
  signal: AbortSignal,
): Promise<Attempt> {
  // With its HTTP client; a server without hooks need not load it.
  const { post } = await import('./post.ts')
  const startedAt = app.now()
  const headers = headersOf(hook, delivery)
  const token = openHookToken(app.secrets, hook)
  const secrets = tokenHeaders(token)
  const result =
    token === undefined
      ? unsent('token cannot be decrypted')
      : await post({
          url: hook.url,
          body: delivery.payload,
          headers,
          secrets,
          verifiesTls: hook.enableSslVerification === 1,
          isAllowed: hook.kind === 'system' ? () => true : addressRule(app),
          timeoutMs: app.config.webhookTimeoutMs,
          signal,
        }).then(answered, failed)
  // An attempt that the server's shutdown interrupted does not count.
  signal.throwIfAborted()
  const sent = { ...headers, ...secrets, ...basicAuth(new URL(hook.url)) }
  return {
    final: result.final,
    log: {
      ...result.log,
      attemptedAt: startedAt,
      url: maskedUrl(hook.url),
      requestHeaders: JSON.stringify(maskedHeaders(sent)),
      duration: Math.max(0, app.now() - startedAt),
    },
  }
}

function answered({ status, headers, body }: PostAnswer) {
  return {
    final: true,
    log: {
      responseStatus: status,
      responseHeaders: JSON.stringify(maskedHeaders(headers)),
      // PostgreSQL stores no NUL characters.
      responseBody: body.replaceAll('\0', '\uFFFD'),
      error: null,
    },
  }
}

function failed(error: unknown) {
  return isBlocked(error) ? unsent('blocked address') : unanswered(reasonOf(error))
}

function unsent(error: string) {
  return { ...unanswered(error), final: true }
}

function unanswered(error: string) {
  const log = { responseStatus: null, responseHeaders: null, responseBody: null, error }
  return { final: false, log }
}

/** The code of an error for the log; its message could quote the address. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'TimeoutError') return 'timeout'
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause === undefined ? error.name : reasonOf(error.cause)
}

function headersOf(hook: Receiver, { id, event }: Sent): Record<string, string> {
  const name = hook.kind === 'system' ? 'System Hook' : headerOf(event)
  return {
    'content-type': 'application/json',
    'user-agent': `Stithy/${version}`,
    'X-Gitlab-Event': name,
    'X-Stithy-Event': name,
    'X-Stithy-Delivery': String(id),
  }
}

function headerOf(event: string): string {
  return event in webhookEvents ? webhookEvents[event as WebhookEvent].header : event
}

function tokenHeaders(token: string | null | undefined): Record<string, string> {
  if (!token) return {}
  // Headers are bytes: other characters than ASCII are sent as UTF-8.
  const bytes = Buffer.from(token).toString('latin1')
  return { 'X-Gitlab-Token': bytes, 'X-Stithy-Token': bytes }
}
