import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requestLimitTable } from '../config/request-limits.ts'

const lingerMs = requestLimitTable.body.lingerMs.value

/** The response to the last request with a body, by connection. */
const responses = new WeakMap<Socket, ServerResponse>()

/** Closes the connection of a request that is answered while its body is still arriving. */
export function endUnreadBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  const { headers } = raw
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
  responses.set(raw.socket, reply.raw)
  reply.raw.once('finish', () => {
    if (raw.complete) return
    // The end of what nobody reads is never announced.
    const cut = () => {
      if (!raw.complete) raw.destroy()
    }
    const timer = setTimeout(cut, lingerMs).unref()
    whenReceived(raw, () => clearTimeout(timer))
  })
}

/**
 * Ends requests whose body takes longer than a time limit, with status 408. Register it in the
 * scope of routes that read bodies; git's requests may take any time.
 */
export function limitBodyTime(scope: FastifyInstance, limitMs: number): void {
  scope.addHook('preParsing', ({ raw }, reply, payload, done) => {
    const timer = setTimeout(() => endConnection(raw.socket, timeout), limitMs)
    const stop = () => clearTimeout(timer)
    whenReceived(raw, stop)
    reply.raw.once('finish', stop)
    done(null, payload)
  })
}

function whenReceived(request: IncomingMessage, action: () => void): void {
  request.once('end', action).once('close', action)
}

/**
 * Answers malformed HTTP in the shape of every other error. In the body of a request that was
 * answered already it closes the connection: the client would take a second answer for the one to
 * its next request.
 */
export function rejectMalformedRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const response = responses.get(socket)
  if (response?.headersSent && !response.req.complete) socket.destroy()
  else endConnection(socket, statuses[error.code ?? ''] ?? '400 Bad Request')
}

const timeout = '408 Request Timeout'

const statuses: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: timeout,
}

function endConnection(socket: Socket, status: string): void {
  const body = JSON.stringify({ message: status })
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`
  socket.end(head + body, () => socket.destroy())
}
