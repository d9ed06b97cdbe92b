import { Agent, type Dispatcher, request } from 'undici'
import {
  addressOf,
  BlockedAddressError,
  guardedLookup,
} from '../../../platform/outbound/address.ts'
import { basicAuth } from '../../../platform/outbound/basic-auth.ts'

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

const maxRedirects = 3
/** Bytes of a response that are read at most, and discarded. */
const maxResponseBytes = 64 * 1024
/** Redirects that repeat the request elsewhere; all other responses are final. */
const repeats: ReadonlySet<number> = new Set([301, 302, 307, 308])

/**
 * Posts a body and returns the status of the response. Connects only to allowed addresses; this is
 * checked after each name resolution, and again at every redirect.
 * @throws BlockedAddressError, or the network error
 */
export async function post(outbound: OutboundPost): Promise<number> {
  const { verifiesTls, isAllowed, timeoutMs } = outbound
  const signal = AbortSignal.any([outbound.signal, AbortSignal.timeout(timeoutMs)])
  const agent = new Agent({
    connect: {
      rejectUnauthorized: verifiesTls,
      timeout: timeoutMs,
      lookup: guardedLookup(isAllowed),
    },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
  try {
    return await follow(outbound, agent, signal)
  } finally {
    await agent.destroy()
  }
}

async function follow(outbound: OutboundPost, agent: Agent, signal: AbortSignal): Promise<number> {
  const first = new URL(outbound.url)
  let url = first
  for (let redirects = 0; ; redirects += 1) {
    // IP addresses are not resolved.
    const address = addressOf(url.hostname)
    if (address !== undefined && !outbound.isAllowed(address)) throw new BlockedAddressError()
    const isHome = url.origin === first.origin
    const { status, location } = await postOnce(outbound, url, isHome, agent, signal)
    if (!repeats.has(status) || location === undefined || redirects === maxRedirects) return status
    const next = URL.parse(location, url.href)
    if (next === null || !/^https?:$/.test(next.protocol)) return status
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
): Promise<{ status: number; location: string | undefined }> {
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
  // Only the status is needed; reading a little lets the peer close the connection cleanly.
  await answer.body.dump({ limit: maxResponseBytes, signal }).catch(() => {})
  const { location } = answer.headers
  return {
    status: answer.statusCode,
    location: typeof location === 'string' ? location : undefined,
  }
}
