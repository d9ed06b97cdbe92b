import type { App } from '../../platform/app.ts'
import { sessionLifetimeMs } from './session.ts'

/** Name of the session cookie. */
export const sessionCookie = '_service_session'

export interface CookieOptions {
  path: string
  httpOnly: boolean
  sameSite: 'lax'
  secure: boolean
  /** Seconds; absent for a cookie that expires when the browser closes. */
  maxAge?: number
}

/** Attributes of this server's cookies; `protocol` is that of the request. */
export function cookieOptions(app: App, protocol: string, remember = false): CookieOptions {
  const isKept = remember && app.settings.session_expire_delay > 0
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: protocol === 'https' || app.config.externalUrl.startsWith('https:'),
    ...(isKept ? { maxAge: sessionLifetimeMs(app) / 1000 } : {}),
  }
}
