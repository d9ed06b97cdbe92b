import { type Logger, pino } from 'pino'
import type { Config } from '../../platform/config/config.ts'

/**
 * The log of the server, as JSON lines on standard error. Requests are logged without query and
 * headers, so that no token is logged.
 */
export function createLog(config: Config): Logger {
  return pino(
    {
      level: config.logLevel,
      base: null,
      serializers: { req: ({ id, method, url }) => ({ id, method, path: pathOf(String(url)) }) },
      redact: ['*.password', '*.token', '*.authorization', '*.cookie'],
    },
    pino.destination({ dest: 2, sync: true }),
  )
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}
