import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

/**
 * Bytes that cannot be compressed. They are made in the thread pool: many megabytes would keep the
 * event loop for as long as the watch of the tests allows no request.
 */
export const noise: (size: number) => Promise<Buffer> = promisify(randomBytes)
