import type { App } from '../app.ts'
import { sessionLifetimeMs } from './session.ts'

/** The cookie that holds a session (document 1, Authentication 2). */
export const sessionCookie = '_service_session'

export interface CookieOptions {
  path: string
  httpOnly: boolean
  sameSite: 'lax'
  secure: boolean
  /** Seconds; left out for a cookie that ends with the browser. */
  maxAge?: number
}

/** How cookies of this server are set; `protocol` is the one that the request came by. */
export function cookieOptions(app: App, protocol: string, remember = false): CookieOptions {
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: protocol === 'https' || app.config.externalUrl.startsWith('https:'),
    ...(remember ? { maxAge: sessionLifetimeMs / 1000 } : {}),
  }
}
