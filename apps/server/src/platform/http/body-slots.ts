import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestLimitTable } from '../config/request-limits.ts'
import { createTransferSlots } from './transfer-slots.ts'

const { heldBytes, heldBytesPerUser, waiting } = requestLimitTable.body

/** Bodies up to this size, in bytes, never wait. */
const smallBytes = 256 * 1024

/** The large bodies that a server holds in memory. */
export interface BodySlots {
  /**
   * Lets a request with a large body wait, before anything of it is read, until those of others
   * leave room; it counts until its response is closed. `limit` is the size, in bytes, up to which
   * the endpoint reads a body.
   * @throws DomainError `too_many_requests` if too many wait
   */
  admit: (
    request: FastifyRequest,
    reply: FastifyReply,
    userId: number,
    limit: number,
  ) => Promise<void>
}

export function createBodySlots(): BodySlots {
  const slots = createTransferSlots({
    total: heldBytes.value,
    perClient: heldBytesPerUser.value,
    queue: waiting.value,
  })
  return {
    async admit(request, { raw }, userId, limit) {
      const size = Math.min(announcedSize(request) ?? limit, limit)
      if (size <= smallBytes) return
      const closed = new AbortController()
      raw.once('close', () => closed.abort())
      const release = await slots.take(`user ${userId}`, closed.signal, { weight: size })
      if (raw.closed) release()
      else raw.once('finish', release).once('close', release)
    },
  }
}

/** Undefined for a body that is sent in chunks, whose size shows only at its end. */
function announcedSize({ headers }: FastifyRequest): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined
  return Number(headers['content-length'] ?? 0)
}
