import type { Logger } from 'pino'

/**
 * Logs rejections of promises that nobody awaits, in place of Node's default, which ends the process: a request
 * that fails in such a way fails alone. Exceptions that nobody catches still end it.
 * @returns ends it
 */
export function logUnhandledRejections(log: Pick<Logger, 'error'>): () => void {
  const report = (reason: unknown) => {
    log.error({ err: reason }, 'a promise was rejected that nobody awaited')
  }
  process.on('unhandledRejection', report)
  return () => {
    process.off('unhandledRejection', report)
  }
}
