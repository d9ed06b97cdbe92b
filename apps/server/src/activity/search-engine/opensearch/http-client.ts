import type { z } from 'zod'
import { SearchEngineError } from '../search-engine.ts'
import type { EngineAccess, EngineAddress } from './addresses.ts'
import { signedHeaders } from './signing.ts'

/** A request to the engine. */
export interface EngineRequest {
  method: 'DELETE' | 'GET' | 'POST' | 'PUT'
  path: string
  query?: Readonly<Record<string, string | number>>
  /** An object as JSON, or lines of JSON. */
  body?: object | string
  /** Milliseconds for the whole exchange. */
  timeoutMs: number
  signal: AbortSignal
}

/** A response of the engine. */
export interface EngineAnswer {
  status: number
  /** Parsed JSON. */
  body: unknown
}

/** Sends requests to an engine, whichever of its addresses responds. */
export interface EngineClient {
  /** @throws SearchEngineError, or the reason of the signal */
  send(request: EngineRequest): Promise<EngineAnswer>
  /** Ends its connections, once they have nothing to do. */
  close(): void
}

export interface ClientOptions {
  /** Bytes of a response that are read at most. */
  maxResponseBytes: number
  /** Milliseconds since the epoch. */
  now: () => number
}

/** Connections to each address. */
const maxConnections = 8
const connectMs = 3000
const maxHeaderBytes = 16 * 1024
/** Statuses of a node that can't serve a request now, which another one may. */
const elsewhere: ReadonlySet<number> = new Set([502, 503, 504])
/** How long an address that can't be reached is left alone, in milliseconds. */
const pauseMs = 5000

export function createEngineClient(
  { addresses, aws }: EngineAccess,
  { maxResponseBytes, now }: ClientOptions,
): EngineClient {
  // Servers without an engine need not load it.
  const opened = import('undici').then(({ default: undici }) => ({
    sendBy: undici.request,
    agent: new undici.Agent({
      connections: maxConnections,
      connect: { timeout: connectMs },
      maxHeaderSize: maxHeaderBytes,
      maxResponseSize: maxResponseBytes,
    }),
  }))
  const pausedUntil = new Map<EngineAddress, number>()

  async function sendTo(address: EngineAddress, request: EngineRequest): Promise<EngineAnswer> {
    const { method, timeoutMs } = request
    const target = { ...rendered(address, request), method, host: new URL(address.origin).host }
    const headers = aws === undefined ? target.headers : await signedHeaders(aws, target)
    const { sendBy, agent } = await opened
    // No redirect is followed: it could lead the contents of repositories anywhere.
    const response = await sendBy(`${address.origin}${target.path}`, {
      method,
      headers,
      body: target.body ?? null,
      dispatcher: agent,
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    })
    return { status: response.statusCode, body: parseJson(await response.body.text()) }
  }

  return {
    async send(request) {
      let failure = new SearchEngineError('The search engine did not respond a moment ago')
      for (const address of addresses) {
        if (now() < (pausedUntil.get(address) ?? 0)) continue
        try {
          const answer = await sendTo(address, request)
          if (!elsewhere.has(answer.status)) return answer
          failure = refusal(answer)
        } catch (error) {
          request.signal.throwIfAborted()
          if (error instanceof SearchEngineError) throw error
          failure = failureOf(error)
          if (!isUnreachable(error)) throw failure
          pausedUntil.set(address, now() + pauseMs)
        }
      }
      throw failure
    },
    // What waits for a response still gets it.
    close: () => void opened.then(({ agent }) => agent.close()).catch(() => undefined),
  }
}

/** A request as it goes to an address. */
function rendered(
  { prefix, authorization }: EngineAddress,
  { path, query = {}, body }: EngineRequest,
) {
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, `${value}`]))
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
  return {
    path: `${prefix}${path}${search.size === 0 ? '' : `?${search}`}`,
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined ? {} : { 'content-type': type }),
    } as Record<string, string>,
    body: typeof body === 'object' ? JSON.stringify(body) : body,
  }
}

/** Undefined for what is not JSON, such as the page of a proxy. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a response that says more than its status is, and is expected to be. */
export function parseAnswer<T>(schema: z.ZodType<T>, answer: EngineAnswer): T {
  if (answer.status < 200 || answer.status > 299) throw refusal(answer)
  const parsed = schema.safeParse(answer.body)
  if (parsed.success) return parsed.data
  throw new SearchEngineError('The search engine answered with something else than expected')
}

/** Without the reason, which may have what was sent. */
function refusal(answer: EngineAnswer): SearchEngineError {
  const type = errorType(answer)
  const suffix = type === undefined ? '' : ` (${type})`
  return new SearchEngineError(`The search engine answered ${answer.status}${suffix}`)
}

/** The type of an error, such as `index_not_found_exception`. */
export function errorType({ body }: Pick<EngineAnswer, 'body'>): string | undefined {
  const { error } = (body ?? {}) as { error?: { type?: unknown } | null }
  const type = typeof error === 'object' ? error?.type : undefined
  return typeof type === 'string' && /^[a-z_]{1,100}$/.test(type) ? type : undefined
}

/** With the code alone: messages may have the address with credentials. */
function failureOf(error: unknown): SearchEngineError {
  const label = codeOf(error) ?? (error instanceof Error ? error.name : 'unknown')
  return new SearchEngineError(`The search engine does not respond (${label})`)
}

/** Whether there was no connection, rather than one that took too long. */
function isUnreachable(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  return code.startsWith('E') || code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'UND_ERR_SOCKET'
}

function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}
