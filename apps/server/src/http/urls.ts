import type { Config } from '../config/config.ts'

/** An address of the web application, below the external URL. */
export function webUrl(config: Config, path: string): string {
  return `${config.externalUrl}/${path}`
}

/** An address of the API, below the external URL. */
export function apiUrl(config: Config, path: string): string {
  return `${config.externalUrl}/api/v4/${path}`
}
