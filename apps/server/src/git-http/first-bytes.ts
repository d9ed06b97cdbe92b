import type { Readable } from 'node:stream'

const signs = ['readable', 'end', 'error', 'close'] as const

/**
 * Waits until a stream has something to read, and takes nothing of it. False for a stream that ends or
 * breaks before; that one is done with.
 */
export function hasBytes(stream: Readable): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const look = () => {
    for (const sign of signs) stream.off(sign, look)
    const found = stream.readableLength > 0
    // Somebody has to read the end, and to hear of a break, for the stream to be freed.
    if (!found) stream.on('error', () => {}).resume()
    resolve(found)
  }
  if (stream.readableLength > 0 || stream.readableEnded || stream.destroyed) look()
  else for (const sign of signs) stream.on(sign, look)
  return promise
}
