import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { clientNetwork } from '../../platform/http/client-network.ts'
import { slotsPerApp } from '../../platform/http/transfer-slots.ts'
import type { GitRequester } from './git-access.ts'
import { watchInactivity } from './inactivity.ts'

/** A fetch or push that has its slot. */
export interface Transfer {
  /** Keeps the slot until this settles too, and not only until the response is closed. */
  holdDuring: (work: Promise<unknown>) => void
}

/** The fetches and pushes of a server. */
export interface Transfers {
  /**
   * Waits for a slot before anything of the body is read, and from then on cuts the connection of a
   * client that is inactive.
   * @throws DomainError `too_many_requests`
   */
  begin: (request: FastifyRequest, reply: FastifyReply, caller: Caller) => Promise<Transfer>
}

/** A request of a git client. */
export interface GitExchange {
  requester: GitRequester
  request: FastifyRequest
  reply: FastifyReply
  transfers: Transfers
}

/** The slots of the fetches and pushes of a server, over HTTP and SSH together. */
export const gitTransferSlots = slotsPerApp(({ config }) => ({
  total: config.gitTransfers,
  perClient: config.gitTransfersPerClient,
  queue: config.gitTransferQueue,
}))

export function createTransfers(app: App): Transfers {
  const { config } = app
  const slots = gitTransferSlots(app)
  return {
    async begin(request, reply, caller) {
      const closed = closeOf(reply)
      const isAnonymous = caller.user === null
      const release = await slots.take(clientOf(request, caller), closed.signal, { isAnonymous })
      const work = [closed.promise]
      const limitMs = config.gitInactivityTimeoutMs
      watchInactivity(request.raw, reply.raw, limitMs, () => cut(request, reply, limitMs))
      void closed.promise.then(async () => {
        await Promise.allSettled(work)
        release()
      })
      return { holdDuring: (promise) => work.push(promise.then(settle, settle)) }
    },
  }
}

function settle(): void {}

/** A user wherever they are, or the network of a client without an account. */
function clientOf({ ip }: FastifyRequest, { user }: Caller): string {
  return user === null ? `network ${clientNetwork(ip)}` : `user ${user.id}`
}

/** The end of a response, sent or not. */
function closeOf({ raw }: FastifyReply): { promise: Promise<void>; signal: AbortSignal } {
  const controller = new AbortController()
  const { promise, resolve } = Promise.withResolvers<void>()
  const close = () => {
    resolve()
    controller.abort()
  }
  if (raw.closed) close()
  else raw.once('finish', close).once('close', close)
  return { promise, signal: controller.signal }
}

/** Ends a request whose client does not go on, with an answer if there was none. */
function cut({ raw }: FastifyRequest, reply: FastifyReply, limitMs: number): void {
  const end = () => {
    // A request is no longer part of its connection once it has been answered.
    raw.destroy()
    raw.socket.destroy()
  }
  if (reply.raw.headersSent) {
    end()
    return
  }
  reply.hijack()
  reply.raw
    .writeHead(408, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
    .end(`Nothing was received for ${limitMs / 1000} seconds.\n`, end)
}
