import { type Logger, pino } from 'pino'
import type { Config } from '../../platform/config/config.ts'
import { describeError } from './error-description.ts'

/**
 * The log of a server or worker, as JSON lines on standard error. Requests are logged by the template
 * of their route, without query, headers and body, so that no token is logged.
 */
export function createLog(config: Config): Logger {
  return pino(
    {
      level: config.logLevel,
      base: null,
      serializers: {
        err: (error: unknown) => describeError(error),
        req: ({ id, method }) => ({ id, method }),
      },
      redact: ['*.password', '*.token', '*.authorization', '*.cookie'],
    },
    pino.destination({ dest: 2, sync: true }),
  )
}
