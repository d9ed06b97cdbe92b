import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Database } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import { openConnection, type StreamConnection } from './stream-connection.ts'
import type { WatchedItem } from './watched-item.ts'
import { createWatchedItems, eachAllowed } from './watched-items.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

async function buildItem(): Promise<WatchedItem> {
  const { id } = await server.buildProject()
  const { body } = await server.inject('POST', `/projects/${id}/issues`, {
    token: server.root.token,
    body: { title: 'An issue' },
  })
  return { type: 'issue', id: body.id }
}

function connect(): StreamConnection {
  return openConnection({ isAllowed: async () => true, seconds: 60 }, () => {})
}

/** What was sent since the last look, without how soon to connect again. */
function sentTo({ body }: StreamConnection): string {
  return String(body.read() ?? '').replace(/^retry: \d+\n\n/, '')
}

describe('a look for changes', () => {
  it('says nothing of an item that is watched only since it began', async () => {
    const { db } = server.app
    const { promise: isFree, resolve: free } = Promise.withResolvers<void>()
    const background: Database['background'] = {
      ...db,
      all: async (shape, args, build) => {
        await isFree
        return db.all(shape, args, build)
      },
    }
    const items = createWatchedItems({ ...server.app, db: { ...db, background } })
    const [known, late] = [await buildItem(), await buildItem()]
    const [first, second] = [connect(), connect()]
    const leave = [items.add(known, first)]
    await items.read(known)
    const look = items.poll()
    leave.push(items.add(late, second))
    await items.read(late)
    free()
    await look
    expect([first, second].map(sentTo)).toEqual(['', ''])
    for (const end of leave) end()
    expect(items.connections()).toEqual([])
    for (const connection of [first, second]) connection.destroy()
  })
})

describe('a check of many streams', () => {
  it('lets other work have its turn, and ends those that are refused', async () => {
    const acted: number[] = []
    const ended: number[] = []
    const connections = Array.from({ length: 25 }, (_, at) => ({
      body: new Readable(),
      isAllowed: async () => at !== 3,
      send: () => {},
      beat: () => {},
      end: () => ended.push(at),
      destroy: () => {},
    }))
    const all = eachAllowed(connections, (connection) => {
      acted.push(connections.indexOf(connection as never))
    })
    await setImmediate()
    expect(acted.length).toBeLessThan(20)
    await all
    expect([acted.length, ended]).toEqual([24, [3]])
  })
})
