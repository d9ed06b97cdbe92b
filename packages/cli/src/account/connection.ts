import { trimEndCharacters } from '@stithy/core'
import { usageError } from '../cli-error.ts'
import type { CliIo } from '../cli-io.ts'
import { readConfig } from './config-file.ts'

/** The server and the token; anonymous without a token. */
export interface Connection {
  baseUrl: string
  token?: string
}

/** The default URL of a local server. */
const localUrl = 'http://127.0.0.1:8080'

/**
 * Finds server and token: flags take precedence over the environment, which takes precedence over
 * the stored configuration. A stored token is sent only to its own server.
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

/**
 * Normalizes the URL of a server, as the key in the configuration. @throws CliError if it is
 * invalid.
 */
export function normalizeUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw usageError('the server URL must begin with http:// or https://')
  }
  if (url.username !== '' || url.password !== '') {
    throw usageError('the server URL must not contain credentials: use a token')
  }
  return url.origin + trimEndCharacters(url.pathname, '/').replace(/\/api\/v4$/, '')
}

/** @throws CliError if it can't be a token; it is not printed. */
export function checkToken(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw usageError('the token is empty or contains invalid characters')
}

/** Warns about a token on the command line. */
export function warnOfToken({ stderr }: CliIo): void {
  stderr.write(
    'Warning: others on this machine can see a token on the command line; STITHY_TOKEN or stithy login keep it from them.\n',
  )
}
