import type { IncomingHttpHeaders } from 'node:http'
import { Agent, type Dispatcher, request } from 'undici'
import {
  addressOf,
  BlockedAddressError,
  guardedLookup,
} from '../../../platform/outbound/address.ts'
import { basicAuth } from '../../../platform/outbound/basic-auth.ts'
import { limitedConnect } from '../../../platform/outbound/limited-connect.ts'

/** A body to post to an external server. */
export interface OutboundPost {
  /** http or https; credentials in it are sent as Basic authentication. */
  url: string
  body: string
  headers: Readonly<Record<string, string>>
  /** Headers that are sent to the host of `url`, but not to another one that it redirects to. */
  secrets: Readonly<Record<string, string>>
  /** Whether the certificate must be trusted. */
  verifiesTls: boolean
  /** Which addresses may be connected to. */
  isAllowed: (address: string) => boolean
  /** Milliseconds for the whole exchange, redirects included. */
  timeoutMs: number
  signal: AbortSignal
}

/** The response to a post, after all redirects. */
export interface PostAnswer {
  status: number
  headers: IncomingHttpHeaders
  /** The beginning of the body. */
  body: string
}

const maxRedirects = 3
/** Bytes of a response that are read at most. */
const maxResponseBytes = 8 * 1024
/** Bytes of the header of a response that are read at most. */
const maxHeaderBytes = 16 * 1024
/** Bytes that a connection reads at most, of all responses and of what surrounds them. */
const maxReadBytes = 256 * 1024
/** Redirects that repeat the request elsewhere; all other responses are final. */
const repeats: ReadonlySet<number> = new Set([301, 302, 307, 308])

/**
 * Posts a body and returns the response. Connects only to allowed addresses; this is checked after
 * each name resolution, and again at every redirect.
 * @throws BlockedAddressError, ResponseTooLongError, or the network error
 */
export async function post(outbound: OutboundPost): Promise<PostAnswer> {
  const { verifiesTls, isAllowed, timeoutMs } = outbound
  const signal = AbortSignal.any([outbound.signal, AbortSignal.timeout(timeoutMs)])
  const agent = new Agent({
    connect: limitedConnect(maxReadBytes, {
      rejectUnauthorized: verifiesTls,
      timeout: timeoutMs,
      lookup: guardedLookup(isAllowed),
    }),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: maxHeaderBytes,
  })
  try {
    return await follow(outbound, agent, signal)
  } finally {
    await agent.destroy()
  }
}

async function follow(
  outbound: OutboundPost,
  agent: Agent,
  signal: AbortSignal,
): Promise<PostAnswer> {
  const first = new URL(outbound.url)
  let url = first
  for (let redirects = 0; ; redirects += 1) {
    // IP addresses are not resolved.
    const address = addressOf(url.hostname)
    if (address !== undefined && !outbound.isAllowed(address)) throw new BlockedAddressError()
    const isHome = url.origin === first.origin
    const answer = await postOnce(outbound, url, isHome, agent, signal)
    const { location } = answer.headers
    if (!repeats.has(answer.status) || location === undefined) return answer
    if (redirects === maxRedirects) return answer
    const next = URL.parse(location, url.href)
    if (next === null || !/^https?:$/.test(next.protocol)) return answer
    // Credentials in a redirect's location are not ours to send.
    next.username = next.origin === first.origin ? first.username : ''
    next.password = next.origin === first.origin ? first.password : ''
    url = next
  }
}

async function postOnce(
  { body, headers, secrets }: OutboundPost,
  url: URL,
  isHome: boolean,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<PostAnswer> {
  const target = new URL(url)
  target.username = ''
  target.password = ''
  const answer = await request(target, {
    method: 'POST',
    body,
    headers: { ...headers, ...(isHome ? { ...secrets, ...basicAuth(url) } : {}) },
    dispatcher,
    signal,
  })
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: await beginningOf(answer.body),
  }
}

/**
 * The first bytes of a body as text, without a character that was cut. What follows is not read:
 * the connection is closed. One that breaks or takes too long is as good as its beginning, since
 * the status is known.
 */
async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, maxResponseBytes - length))
      length += chunk.length
      if (length >= maxResponseBytes) break
    }
  } catch {
    // The beginning is returned.
  }
  return new TextDecoder().decode(Buffer.concat(chunks), { stream: true })
}
