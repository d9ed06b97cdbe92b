import { trimEndCharacters } from '@stithy/core'
import type { WireRequest } from './encode.ts'
import { readFailure, withoutSecrets } from './failure.ts'
import { pause, retryDelay } from './retry.ts'
import { StithyError } from './stithy-error.ts'

/** The part of the platform's `fetch` that the client needs. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** The server, the credentials and other options. */
export interface ClientOptions {
  /** The base URL of the server, without `/api/v4`: `https://code.example.org`. */
  baseUrl: string
  /** A personal access token or an impersonation token. */
  token?: string
  /** An OAuth2 access token. */
  oauthToken?: string
  /** Id or name of a user to act as; needs an administrator's token with the scope `sudo`. */
  sudo?: number | string
  /** Sends the requests; default: the platform's own. */
  fetch?: Fetch
  /** How often a refused call, or a read without a response, is retried. Default 3. */
  retries?: number
  /** Milliseconds per attempt; 0 for no limit. Default 60,000. */
  timeout?: number
  /** Identifies the program to the server; browsers may use their own. */
  userAgent?: string
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, and the waiting between two attempts. */
  signal?: AbortSignal
  /** Milliseconds per attempt, instead of the client's. */
  timeout?: number
  /**
   * What is asked for of the bytes of a raw endpoint. The statuses 206, 304, 412 and 416 are answers
   * to that then: the call resolves with them.
   */
  content?: ContentRequest
}

/** The headers by which a part of bytes is asked for, or those of an entity tag (RFC 9110). */
export const contentHeaderNames = ['if-match', 'if-none-match', 'if-range', 'range'] as const

/** A read of bytes: all of them by default. */
export interface ContentRequest {
  /** Asks for the headers alone. */
  isHead?: boolean
  headers?: Readonly<Partial<Record<(typeof contentHeaderNames)[number], string>>>
}

/** Statuses that say what became of the conditions of a read. */
const contentStatuses: readonly number[] = [304, 412, 416]

/** A successful response; `body` is its parsed JSON, undefined if it has none or is raw. */
interface Answer {
  response: Response
  body: unknown
}

/** Sends calls; keeps the token private. */
export interface Transport {
  send: (request: WireRequest, options: CallOptions) => Promise<Answer>
}

/** @throws TypeError if an option is invalid; its message never contains the token. */
export function createTransport(options: ClientOptions): Transport {
  const { retries = 3, timeout = 60_000 } = options
  const connection: Connection = {
    base: apiBase(options.baseUrl),
    headers: baseHeaders(options),
    secrets: [options.token, options.oauthToken].filter((secret) => secret !== undefined),
    // Called without a receiver: browsers reject `fetch` as a method of another object.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
  }
  return {
    async send(request, { timeout: ownTimeout = timeout, ...options }) {
      const { signal } = options
      for (let attempt = 0; ; attempt += 1) {
        const outcome = await tryOnce(connection, request, { ...options, timeout: ownTimeout })
        if (!(outcome instanceof StithyError)) return outcome
        const delay = attempt < retries ? retryDelay(outcome, attempt) : undefined
        if (delay === undefined) throw outcome
        await pause(delay, signal)
      }
    },
  }
}

interface Connection {
  base: string
  headers: Readonly<Record<string, string>>
  secrets: readonly string[]
  fetch: Fetch
}

function apiBase(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('baseUrl must be an absolute http or https URL')
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('baseUrl must not contain credentials: use token')
  }
  const path = trimEndCharacters(url.pathname, '/')
  return `${url.origin}${path.endsWith('/api/v4') ? path : `${path}/api/v4`}`
}

function baseHeaders({
  token,
  oauthToken,
  sudo,
  userAgent,
}: ClientOptions): Record<string, string> {
  if (token !== undefined && oauthToken !== undefined) {
    throw new TypeError('token and oauthToken are mutually exclusive')
  }
  const secret = token ?? oauthToken
  if (secret !== undefined && !/^[\x21-\x7e]+$/.test(secret)) {
    throw new TypeError('the token contains invalid characters')
  }
  const names = Object.entries({ sudo, userAgent })
  for (const [name, value] of names) {
    if (value !== undefined && !/^[\x20-\x7e]+$/.test(String(value))) {
      throw new TypeError(`${name} contains characters that cannot be sent`)
    }
  }
  const headers: Record<string, string> = { accept: 'application/json' }
  // Every kind of token may be a bearer token. Of all headers for one, this is the one that `fetch`
  // drops on a redirect to another origin.
  if (secret !== undefined) headers.authorization = `Bearer ${secret}`
  if (sudo !== undefined) headers.sudo = String(sudo)
  if (userAgent !== undefined) headers['user-agent'] = userAgent
  return headers
}

async function tryOnce(
  connection: Connection,
  request: WireRequest,
  { signal, timeout, content }: CallOptions & { timeout: number },
): Promise<Answer | StithyError> {
  const limit = timeLimit(timeout)
  try {
    const response = await connection.fetch(urlOf(connection, request), {
      method: content?.isHead === true ? 'HEAD' : request.method,
      headers: { ...headersFor(connection, request), ...content?.headers },
      body: request.body ?? null,
      signal: eitherOf(signal, limit.signal),
    })
    const redirect = redirectError(connection, request, response)
    if (redirect !== undefined) return redirect
    const isAnswer = content !== undefined && contentStatuses.includes(response.status)
    if (!response.ok && !isAnswer) return await readFailure(response, request, connection.secrets)
    return { response, body: request.raw ? undefined : await readJson(response, request) }
  } catch (error) {
    if (error instanceof StithyError) return error
    if (signal?.aborted === true) {
      return new StithyError('aborted', 'The call was aborted', request, { cause: signal.reason })
    }
    if (limit.signal?.aborted === true) {
      return new StithyError('timed_out', `No answer within ${timeout} ms`, request)
    }
    return networkError(connection, request, error)
  } finally {
    limit.clear()
  }
}

function urlOf({ base }: Connection, { path, query }: WireRequest): string {
  return query === '' ? base + path : `${base}${path}?${query}`
}

function headersFor({ headers }: Connection, request: WireRequest): Record<string, string> {
  const accepted = request.raw ? { ...headers, accept: '*/*' } : { ...headers }
  if (typeof request.body === 'string') return { ...accepted, 'content-type': 'application/json' }
  return accepted
}

function eitherOf(
  one: AbortSignal | undefined,
  other: AbortSignal | undefined,
): AbortSignal | null {
  if (one === undefined || other === undefined) return one ?? other ?? null
  return AbortSignal.any([one, other])
}

function timeLimit(ms: number): { signal: AbortSignal | undefined; clear: () => void } {
  if (ms === 0) return { signal: undefined, clear: () => {} }
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), ms)
  return { signal: controller.signal, clear: () => clearTimeout(timer) }
}

/**
 * A redirect turns a write into a read, and another origin gets no token: neither response is the
 * requested one.
 */
function redirectError(
  { base }: Connection,
  request: WireRequest,
  response: Response,
): StithyError | undefined {
  if (!response.redirected) return undefined
  const { origin } = new URL(response.url)
  const elsewhere = origin !== new URL(base).origin
  if (request.method === 'GET' && (!elsewhere || request.raw)) return undefined
  void response.body?.cancel()
  const text = `The server redirects to ${origin}: use its own address as baseUrl`
  return new StithyError('unexpected_answer', text, request, { status: response.status })
}

async function readJson(response: Response, request: WireRequest): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    const type = response.headers.get('content-type') ?? 'no content type'
    throw new StithyError('unexpected_answer', `The answer is not JSON (${type})`, request, {
      status: response.status,
      requestId: response.headers.get('x-request-id'),
    })
  }
}

function networkError(
  { base, secrets }: Connection,
  request: WireRequest,
  error: unknown,
): StithyError {
  const reason = withoutSecrets(rootCauseMessage(error), secrets)
  const text = `The server at ${new URL(base).origin} cannot be reached: ${reason}`
  return new StithyError('network_error', text, request, { cause: error })
}

/** `fetch failed` alone is useless; its causes are not. */
function rootCauseMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return rootCauseMessage(error.cause)
  const code = 'code' in error ? String(error.code) : error.name
  return error.message === '' ? code : error.message
}
