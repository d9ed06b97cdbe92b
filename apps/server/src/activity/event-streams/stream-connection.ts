import { Readable } from 'node:stream'
import type { ItemVersion } from './item-version.service.ts'

/** Who reads a stream, and what they may still read. */
export interface StreamReader {
  userId: number
  /** Whether the caller may still read the item, with the credentials of the request. */
  isAllowed: () => Promise<boolean>
  /** Seconds after which the stream ends; 0 for one that ends with its first event. */
  seconds: number
}

/** An open stream of events. */
export interface StreamConnection {
  readonly body: Readable
  isAllowed: () => Promise<boolean>
  /** Sends an event; a client that does not read is cut. */
  send: (event: 'version' | 'change', data: ItemVersion) => void
  /** Sends a comment, so that proxies keep the connection. */
  beat: () => void
  end: () => void
  /** Drops what was not read. */
  destroy: () => void
}

/** Bytes that a client has not taken yet: several events. */
const maxUnreadBytes = 2048

/**
 * Browsers connect again after this many milliseconds, and up to as many more, so that not all do at
 * once after a restart.
 */
const retryMs = 3000

export function openConnection(
  { isAllowed, seconds }: Pick<StreamReader, 'isAllowed' | 'seconds'>,
  onClose: () => void,
): StreamConnection {
  const body = new Readable({ read: () => {} })
  let isEnded = false
  const end = () => {
    if (isEnded) return
    isEnded = true
    body.push(null)
  }
  const timer = seconds > 0 ? setTimeout(end, seconds * 1000).unref() : undefined
  body.once('close', () => {
    clearTimeout(timer)
    isEnded = true
    onClose()
  })
  const write = (text: string) => {
    if (isEnded) return
    if (body.readableLength > maxUnreadBytes) body.destroy()
    else body.push(text)
  }
  write(`retry: ${retryMs + Math.floor(Math.random() * retryMs)}\n\n`)
  return {
    body,
    isAllowed,
    send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    beat: () => write(':\n\n'),
    end,
    destroy: () => body.destroy(),
  }
}
