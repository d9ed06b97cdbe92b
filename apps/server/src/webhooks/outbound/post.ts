import { Agent, type Dispatcher, request } from 'undici'
import { addressOf, BlockedAddressError, guardedLookup } from './address.ts'

/** A body to be posted to somebody else's server. */
export interface OutboundPost {
  /** http or https; credentials in it are sent as Basic ones. */
  url: string
  body: string
  headers: Readonly<Record<string, string>>
  /** Headers that only the host of `url` shall see, not one that it redirects to. */
  secrets: Readonly<Record<string, string>>
  /** Whether the certificate must be one that is trusted. */
  verifiesTls: boolean
  /** Which addresses may be connected to. */
  isAllowed: (address: string) => boolean
  /** For everything, redirects included. */
  timeoutMs: number
  signal: AbortSignal
}

const maxRedirects = 3
/** More of an answer is not read, and none of it is kept. */
const maxAnswerBytes = 64 * 1024
/** Redirects that send the same request elsewhere; all other answers are taken as they are. */
const repeats: ReadonlySet<number> = new Set([301, 302, 307, 308])

/**
 * Posts, and answers the status that came back. Only allowed addresses are connected to, which is looked at
 * once a name is looked up, and at every redirect anew.
 * @throws BlockedAddressError, or whatever the network says
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
    // Nobody looks an address up.
    const address = addressOf(url.hostname)
    if (address !== undefined && !outbound.isAllowed(address)) throw new BlockedAddressError()
    const isHome = url.origin === first.origin
    const { status, location } = await postOnce(outbound, url, isHome, agent, signal)
    if (!repeats.has(status) || location === undefined || redirects === maxRedirects) return status
    const next = URL.parse(location, url.href)
    if (next === null || !/^https?:$/.test(next.protocol)) return status
    // What a redirect brings of credentials is not ours to send.
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
  // The status is all that is wanted; reading a little lets the other side end in peace.
  await answer.body.dump({ limit: maxAnswerBytes, signal }).catch(() => {})
  const { location } = answer.headers
  return {
    status: answer.statusCode,
    location: typeof location === 'string' ? location : undefined,
  }
}

function basicAuth({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const pair = `${decoded(username)}:${decoded(password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
