import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

const header = 'x-stithy-internal-call'

/** Known to this process alone, so that no client can send it. */
const secret = randomUUID()

/** Headers of calls that a page makes within the process. */
export const internalCallHeaders: Readonly<Record<string, string>> = { [header]: secret }

/** Whether a request is one of a page, which was counted against the limits of requests itself. */
export function isInternalCall({ headers }: FastifyRequest): boolean {
  return headers[header] === secret
}
