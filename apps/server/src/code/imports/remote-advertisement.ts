import { lookup } from 'node:dns/promises'
import { Agent, type Dispatcher, request } from 'undici'
import { addressOf, BlockedAddressError } from '../../platform/outbound/address.ts'
import { RemoteError } from './remote-error.ts'

/** A git repository of another server, found by asking it. */
export interface FoundRemote {
  /** Where its redirects lead, without credentials. */
  url: string
  /** The IP address that answered. */
  address: string
  /** Undefined where the redirects lead to another host. */
  authorization: string | undefined
  /** The branch of its HEAD; undefined for an empty repository. */
  defaultBranch: string | undefined
  isEmpty: boolean
}

export interface RemoteQuestion {
  /** An http or https URL, without credentials. */
  url: string
  authorization: string | undefined
  /** Which addresses may be connected to. */
  isAllowed: (address: string) => boolean
  signal: AbortSignal
}

const maxRedirects = 5
const timeoutMs = 30_000
/** The capabilities follow the first ref. */
const maxHeadBytes = 64 * 1024
const service = '/info/refs?service=git-upload-pack'
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Asks for the refs of a repository as `git clone` does (smart HTTP, protocol version 0), follows
 * redirects, and connects only to allowed addresses.
 * @throws RemoteError, BlockedAddressError, or the network error
 */
export async function findRemote(question: RemoteQuestion): Promise<FoundRemote> {
  const first = new URL(question.url)
  const signal = AbortSignal.any([question.signal, AbortSignal.timeout(timeoutMs)])
  let url = new URL(`${withoutSlash(first.href)}${service}`)
  for (let count = 0; ; count += 1) {
    const address = await allowedAddress(url.hostname, question.isAllowed)
    const authorization = isHome(url, first) ? question.authorization : undefined
    const answer = await ask(url, { address, authorization, signal })
    if (answer.location === undefined) {
      return { ...answer.head, url: baseOf(url), address, authorization }
    }
    const next = URL.parse(answer.location, url.href)
    const isGit = next?.href.endsWith(service) && /^https?:$/.test(next.protocol)
    if (count === maxRedirects || !next || !isGit) throw new RemoteError('has too many redirects')
    next.username = ''
    next.password = ''
    url = next
  }
}

/** Credentials go to the host that they are meant for, and not back from https to http. */
function isHome(url: URL, first: URL): boolean {
  if (url.origin === first.origin) return true
  const isDefault = url.port === '' && first.port === ''
  return isDefault && url.hostname === first.hostname && url.protocol === 'https:'
}

function withoutSlash(href: string): string {
  return href.endsWith('/') ? href.slice(0, -1) : href
}

function baseOf(url: URL): string {
  return url.href.slice(0, -service.length)
}

async function allowedAddress(
  hostname: string,
  isAllowed: (address: string) => boolean,
): Promise<string> {
  const literal = addressOf(hostname)
  const found =
    literal === undefined
      ? (await lookup(hostname, { all: true })).map(({ address }) => address)
      : [literal]
  const address = found.find(isAllowed)
  if (address === undefined) throw new BlockedAddressError()
  return address
}

interface Answer {
  location?: string
  head: Pick<FoundRemote, 'defaultBranch' | 'isEmpty'>
}

async function ask(
  url: URL,
  options: { address: string; authorization: string | undefined; signal: AbortSignal },
): Promise<Answer> {
  const { address, authorization, signal } = options
  const family = address.includes(':') ? 6 : 4
  const agent = new Agent({
    connect: {
      timeout: timeoutMs,
      lookup: (_hostname, { all }, callback) =>
        all ? callback(null, [{ address, family }]) : callback(null, address, family),
    },
  })
  try {
    const headers = { 'user-agent': 'git/2', ...(authorization ? { authorization } : {}) }
    const response = await request(url, { dispatcher: agent, signal, headers })
    return await readAnswer(response)
  } finally {
    await agent.destroy()
  }
}

async function readAnswer(response: Dispatcher.ResponseData): Promise<Answer> {
  const { statusCode, headers, body } = response
  const none = { defaultBranch: undefined, isEmpty: true }
  const { location } = headers
  if (redirects.has(statusCode) && typeof location === 'string') return { location, head: none }
  if (statusCode === 401 || statusCode === 403) throw new RemoteError('needs valid credentials')
  if (statusCode === 404 || statusCode === 410) throw new RemoteError('was not found')
  if (statusCode !== 200) throw new RemoteError(`answered with status ${statusCode}`)
  if (headers['content-type'] !== 'application/x-git-upload-pack-advertisement') {
    throw new RemoteError('is not a git repository')
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= maxHeadBytes) break
  }
  return { head: parseHead(Buffer.concat(chunks).toString('utf8')) }
}

/** The first ref follows `# service=git-upload-pack` and a flush packet. */
function parseHead(text: string): Pick<FoundRemote, 'defaultBranch' | 'isEmpty'> {
  const end = text.indexOf('\0')
  const rest = end === -1 ? '' : text.slice(end + 1)
  const capabilities = rest.split('\n', 1)[0]?.split(' ') ?? []
  const prefix = 'symref=HEAD:refs/heads/'
  const symref = capabilities.find((capability) => capability.startsWith(prefix))
  const isEmpty = end === -1 || text.slice(0, end).endsWith(' capabilities^{}')
  return { defaultBranch: symref?.slice(prefix.length), isEmpty }
}
