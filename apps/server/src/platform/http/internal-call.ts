import type { FastifyRequest } from 'fastify'
import { InProcessRequest } from './in-process-call.ts'

/** Whether a request is one of a page, which was counted against the limits of requests itself. */
export function isInternalCall({ raw }: FastifyRequest): boolean {
  return (raw as unknown) instanceof InProcessRequest
}
