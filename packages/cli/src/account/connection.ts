import { usageError } from '../cli-error.ts'
import type { CliIo } from '../cli-io.ts'
import { readConfig } from './config-file.ts'

/** Where and as whom to call; without a token as nobody. */
export interface Connection {
  baseUrl: string
  token?: string
}

/** Where a server listens that was started without further ado. */
const localUrl = 'http://127.0.0.1:8080'

/**
 * Finds server and token: flags come before the environment, the environment before what `login` has
 * kept. A kept token goes to no other server than the one it was kept for.
 */
export async function findConnection(
  io: CliIo,
  urlFlag: string | undefined,
  tokenFlag: string | undefined,
): Promise<Connection> {
  if (tokenFlag !== undefined) warnOfToken(io)
  const config = await readConfig(io.configDir)
  const baseUrl = normalizeUrl(urlFlag || io.env.STITHY_URL || config.default || localUrl)
  const token = tokenFlag || io.env.STITHY_TOKEN || config.hosts[baseUrl]?.token
  return token === undefined ? { baseUrl } : { baseUrl, token: checkToken(token) }
}

/** The one spelling under which a server is kept. @throws CliError for what is no address. */
export function normalizeUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw usageError('the address of the server must begin with http:// or https://')
  }
  if (url.username !== '' || url.password !== '') {
    throw usageError('the address of the server must not hold credentials: use a token')
  }
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/api\/v4$/, '')
}

/** @throws CliError for what cannot be a token; it is not repeated. */
export function checkToken(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw usageError('the token is empty or has characters that no token has')
}

/** Says what a token on the command line means. */
export function warnOfToken({ stderr }: CliIo): void {
  stderr.write(
    'Warning: others on this machine can see a token on the command line; STITHY_TOKEN or stithy login keep it from them.\n',
  )
}
