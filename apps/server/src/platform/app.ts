import type { EndpointSpec } from '@stithy/core'
import type { Git } from '@stithy/git'
import type { Database } from '@stithy/store'
import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import type { RateLimiter } from './http/rate-limiter.ts'

/** Dependencies of handlers, services and jobs; built once at start, or by tests. */
export interface App {
  config: Config
  db: Database
  git: Git
  /** Rate limit of failed sign-ins, by account and IP address. */
  signInLimiter: RateLimiter
  /** Milliseconds since the epoch. */
  now: () => number
  log: Logger
  /** Checks a response against its contract and throws on a mismatch; set by tests. */
  checkAnswer?: (endpoint: EndpointSpec, status: number, text: string) => void
}
