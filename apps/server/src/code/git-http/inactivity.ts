import type { IncomingMessage, ServerResponse } from 'node:http'

/** How often a connection is looked at within the time limit. */
const looks = 4
/** A client that moves less than this many bytes between two looks counts as inactive. */
const leastBytes = 256

/**
 * Whether it is the client's turn: the server waits for more of the request, or the client has not
 * taken what was sent. While git computes it is neither.
 */
function isAwaited(request: IncomingMessage, response: ServerResponse): boolean {
  const expectsInput = !request.complete && request.readableLength === 0
  return expectsInput || response.writableLength > 0
}

/** Bytes that the client has sent and taken so far. */
function bytesMoved({ socket }: IncomingMessage): number {
  return socket.bytesRead + socket.bytesWritten - socket.writableLength
}

/**
 * Calls `onInactive` once a client that has to send or to read has done neither for `limitMs`.
 * Watches until the response is closed.
 */
export function watchInactivity(
  request: IncomingMessage,
  response: ServerResponse,
  limitMs: number,
  onInactive: () => void,
): void {
  let moved = bytesMoved(request)
  let idle = 0
  const timer = setInterval(() => {
    const before = moved
    moved = bytesMoved(request)
    const isIdle = moved - before < leastBytes && isAwaited(request, response)
    idle = isIdle ? idle + 1 : 0
    if (idle < looks) return
    clearInterval(timer)
    onInactive()
  }, limitMs / looks)
  timer.unref()
  response.once('close', () => clearInterval(timer))
}
