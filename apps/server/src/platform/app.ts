import type { EndpointSpec } from '@stithy/core'
import type { Git } from '@stithy/git'
import type { Database } from '@stithy/store'
import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import type { RateLimiter } from './http/rate-limiter.ts'
import type { SharedCounters } from './metrics/shared-counters.ts'

/** What a client gets to see of a response. */
export interface CheckedAnswer {
  /** Method and path of the request. */
  request: string
  status: number
  /** Undefined without a body. */
  contentType: string | undefined
  /** Undefined without a body, and for bytes. */
  text: string | undefined
}

/** Dependencies of handlers, services and jobs; built once at start, or by tests. */
export interface App {
  config: Config
  db: Database
  git: Git
  /** Rate limits of failed sign-ins, by account and network of the client, and by network. */
  signInLimiters: { account: RateLimiter; network: RateLimiter }
  /** Limits of requests for a mailed link, by page and address, and by network. */
  mailedLinkLimiters: { address: RateLimiter; network: RateLimiter }
  /** Counts of all servers and workers together. */
  counters: SharedCounters
  /** Milliseconds since the epoch. */
  now: () => number
  log: Logger
  /** Checks a response against its contract; set by tests. */
  checkAnswer?: (endpoint: EndpointSpec, answer: CheckedAnswer) => void
}
