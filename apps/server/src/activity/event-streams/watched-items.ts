import { setImmediate, setTimeout } from 'node:timers/promises'
import { inBackground } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { type ItemVersion, readVersions } from './item-version.service.ts'
import type { StreamConnection } from './stream-connection.ts'
import { channelOf, type WatchedItem } from './watched-item.ts'

/** The items whose streams are open, and what was told of them. */
export interface WatchedItems {
  /** Returns the function that ends it. */
  add: (item: WatchedItem, connection: StreamConnection) => () => void
  /** Reads the version of a watched item; undefined if it was deleted. */
  read: (item: WatchedItem) => Promise<ItemVersion | undefined>
  /** Tells the streams of an item, if it is watched, that it has changed. */
  tell: (channel: string) => Promise<void>
  /** Looks for changes of all items that were not told. One query, and none if nothing is watched. */
  poll: () => Promise<void>
  connections: () => StreamConnection[]
}

interface Watched {
  item: WatchedItem
  /** As it was told last; undefined until it was read. */
  version: ItemVersion | undefined
  connections: Set<StreamConnection>
  /** Whether it has changed since it was told. */
  isChanged: boolean
  isTelling: boolean
}

export function createWatchedItems(app: App): WatchedItems {
  const watched = new Map<string, Watched>()
  const tell = async (channel: string): Promise<void> => {
    const found = watched.get(channel)
    if (found !== undefined) await tellChanges(app, found)
  }
  return {
    tell,
    add(item, connection) {
      const channel = channelOf(item.type, item.id)
      const found = watched.get(channel) ?? newlyWatched(item)
      watched.set(channel, found)
      found.connections.add(connection)
      return () => {
        found.connections.delete(connection)
        if (found.connections.size === 0 && watched.get(channel) === found) watched.delete(channel)
      }
    },
    async read(item) {
      const channel = channelOf(item.type, item.id)
      const version = (await readVersions(app, app.db, [item])).get(channel)
      const found = watched.get(channel)
      if (found !== undefined) found.version ??= version
      return version
    },
    async poll() {
      if (watched.size === 0) return
      const before = Array.from(watched, ([channel, { item, version }]) => {
        return { channel, item, version }
      })
      const items = before.map(({ item }) => item)
      const versions = await readVersions(app, inBackground(app.db), items)
      const changed = before.filter(({ channel, version }) => {
        // What was told meanwhile is newer than what was read.
        if (version === undefined || watched.get(channel)?.version !== version) return false
        return versions.get(channel)?.version !== version.version
      })
      await Promise.all(changed.map(({ channel }) => tell(channel)))
    },
    connections: () => Array.from(watched.values(), ({ connections }) => [...connections]).flat(),
  }
}

function newlyWatched(item: WatchedItem): Watched {
  return {
    item,
    version: undefined,
    connections: new Set(),
    isChanged: false,
    isTelling: false,
  }
}

/** Tells one change after the other; those that are made meanwhile are told as one. */
async function tellChanges(app: App, watched: Watched): Promise<void> {
  watched.isChanged = true
  if (watched.isTelling) return
  watched.isTelling = true
  try {
    while (watched.isChanged && watched.connections.size > 0) {
      watched.isChanged = false
      await tellChange(app, watched)
      // A thousand readers of a busy item are told once a second, and one at once.
      await setTimeout(Math.min(watched.connections.size, 1000), undefined, { ref: false })
    }
  } finally {
    watched.isTelling = false
  }
}

async function tellChange(app: App, watched: Watched): Promise<void> {
  const { item, connections } = watched
  const versions = await readVersions(app, app.db, [item])
  const version = versions.get(channelOf(item.type, item.id))
  watched.version = version
  await eachAllowed([...connections], (connection) => {
    if (version !== undefined) connection.send('change', version)
  })
}

/** Checks of access at a time, before other work has its turn. */
const checksAtOnce = 10

/** Ends the streams of those who may no longer read them, and calls a function for the others. */
export async function eachAllowed(
  connections: readonly StreamConnection[],
  act: (connection: StreamConnection) => void = () => {},
): Promise<void> {
  for (let at = 0; at < connections.length; at += checksAtOnce) {
    const some = connections.slice(at, at + checksAtOnce)
    await Promise.all(
      some.map(async (connection) => {
        if (await connection.isAllowed()) act(connection)
        else connection.end()
      }),
    )
    await setImmediate()
  }
}
