import { buildConnector } from 'undici'

/** Thrown for a server that sends more than a response may have. */
export class ResponseTooLongError extends Error {
  override readonly name = 'ResponseTooLongError'
  readonly code = 'ERR_RESPONSE_TOO_LONG'

  constructor() {
    super('the response is too long')
  }
}

/**
 * Connects for an undici agent, and breaks a connection on which more than `maxBytes` arrive: the
 * parser has no limit for what comes before a response (interim ones, blank lines) and between the
 * bytes of its body (extensions of chunks).
 */
export function limitedConnect(
  maxBytes: number,
  options: buildConnector.BuildOptions,
): buildConnector.connector {
  const connect = buildConnector(options)
  return (target, callback) =>
    connect(target, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      socket.on('readable', () => {
        if (socket.bytesRead > maxBytes) socket.destroy(new ResponseTooLongError())
      })
      return callback(null, socket)
    })
}
