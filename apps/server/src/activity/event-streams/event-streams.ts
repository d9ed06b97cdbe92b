import type { Readable } from 'node:stream'
import { DomainError, notFound } from '@stithy/core'
import type { App } from '../../platform/app.ts'
import { openConnection, type StreamConnection, type StreamReader } from './stream-connection.ts'
import { createUserCounts } from './user-counts.ts'
import { pipelineChannel, type WatchedItem } from './watched-item.ts'
import { createWatchedItems, eachAllowed, type WatchedItems } from './watched-items.ts'

/** The streams of events of a server. */
export interface EventStreams {
  /**
   * Opens a stream of the changes of an item, which begins with its version.
   * @throws DomainError `too_many_requests`, `not_found`, `unavailable`
   */
  open: (item: WatchedItem, reader: StreamReader) => Promise<Readable>
  /** Looks for changes that other processes made, and for those that are no recorded ones. */
  poll: () => Promise<void>
  /** Sends a comment to every client. */
  beat: () => void
  /** Ends the streams of those who may no longer read them. */
  recheck: () => Promise<void>
  /** Ends all streams, and opens no more. */
  close: () => void
  /** How many are open. */
  count: () => number
}

/** Milliseconds between them. */
const intervals = { poll: 3000, beat: 20_000, recheck: 60_000 } as const

const created = new WeakMap<App, EventStreams>()

/** The streams of an application, created on their first use. */
export function eventStreamsOf(app: App): EventStreams {
  const known = created.get(app)
  if (known !== undefined) return known
  const streams = createEventStreams(app)
  created.set(app, streams)
  return streams
}

function createEventStreams(app: App): EventStreams {
  const items = createWatchedItems(app)
  const { eventStreams: total, eventStreamsPerUser: perUser } = app.config
  const counts = createUserCounts({ total, perUser })
  let isClosed = false
  const streams: EventStreams = {
    async open(item, reader) {
      if (isClosed) throw new DomainError('unavailable', { retryAfter: 5 })
      const release = counts.add(reader.userId)
      const connection = openConnection(reader, () => {
        leave()
        release()
        if (counts.total() === 0) timers.stop()
      })
      const leave = items.add(item, connection)
      timers.start()
      await begin(items, item, connection)
      if (reader.seconds === 0) connection.end()
      return connection.body
    },
    poll: () => items.poll(),
    beat() {
      for (const connection of items.connections()) connection.beat()
    },
    recheck: () => eachAllowed(items.connections()),
    close() {
      isClosed = true
      timers.stop()
      for (const connection of items.connections()) connection.end()
    },
    count: counts.total,
  }
  const timers = timersOf(app, streams)
  app.db.onNotification((channel) => {
    if (counts.total() === 0) return
    logFailure(app, channel === pipelineChannel ? items.poll() : items.tell(channel))
  })
  return streams
}

async function begin(
  items: WatchedItems,
  item: WatchedItem,
  connection: StreamConnection,
): Promise<void> {
  try {
    const version = await items.read(item)
    if (version === undefined) throw notFound('Item')
    connection.send('version', version)
  } catch (error) {
    connection.destroy()
    throw error
  }
}

function logFailure(app: App, work: Promise<void>): void {
  work.catch((err: unknown) => app.log.warn({ err }, 'Changes could not be streamed'))
}

function timersOf(app: App, streams: EventStreams) {
  return createTimers([
    [intervals.poll, () => logFailure(app, streams.poll())],
    [intervals.beat, streams.beat],
    [intervals.recheck, () => logFailure(app, streams.recheck())],
  ])
}

/** Timers that all streams share, and that run only while there are any. */
function createTimers(works: readonly (readonly [ms: number, work: () => void])[]) {
  let running: NodeJS.Timeout[] = []
  return {
    start() {
      if (running.length > 0) return
      running = works.map(([ms, work]) => setInterval(work, ms).unref())
    },
    stop() {
      for (const timer of running) clearInterval(timer)
      running = []
    },
  }
}
