import type { Config } from '../config/config.ts'

/** Builds a URL of the web application, below the external URL. */
export function webUrl(config: Config, path: string): string {
  return `${config.externalUrl}/${path}`
}

/** Builds a URL of the API, below the external URL. */
export function apiUrl(config: Config, path: string): string {
  return `${config.externalUrl}/api/v4/${path}`
}
