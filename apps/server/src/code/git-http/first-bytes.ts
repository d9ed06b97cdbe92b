import type { Readable } from 'node:stream'

const events = ['readable', 'end', 'error', 'close'] as const

/**
 * Waits until a stream has data, without consuming any. False for a stream that ends or fails
 * before; that one is done with.
 */
export function hasBytes(stream: Readable): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const look = () => {
    for (const event of events) stream.off(event, look)
    const found = stream.readableLength > 0
    // The end must be read, and an error handled, for the stream to be released.
    if (!found) stream.on('error', () => {}).resume()
    resolve(found)
  }
  if (stream.readableLength > 0 || stream.readableEnded || stream.destroyed) look()
  else for (const event of events) stream.on(event, look)
  return promise
}
