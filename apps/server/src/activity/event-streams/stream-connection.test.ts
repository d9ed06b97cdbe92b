import { describe, expect, it } from 'vitest'
import { openConnection } from './stream-connection.ts'

const version = { updated_at: '2026-01-01T00:00:00.000Z', version: '0123456789abcdef' }

describe('a connection of a stream', () => {
  it('is cut if the client does not read', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const connection = openConnection({ isAllowed: async () => true, seconds: 60 }, resolve)
    for (let sent = 0; sent < 100; sent += 1) connection.send('change', version)
    await promise
    expect(connection.body.destroyed).toBe(true)
    // What comes later is dropped.
    connection.beat()
    connection.end()
  })

  it('is kept while the client reads', async () => {
    const connection = openConnection({ isAllowed: async () => true, seconds: 60 }, () => {})
    for (let sent = 0; sent < 100; sent += 1) {
      connection.send('change', version)
      connection.body.read()
    }
    expect(connection.body.destroyed).toBe(false)
    connection.destroy()
  })
})
