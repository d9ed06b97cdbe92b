import { describe, expect, it } from 'vitest'
import { createTransferSlots } from './transfer-slots.ts'

const { signal } = new AbortController()

/** Takes slots for clients, and notes the order in which they get them. */
function build(limits: { total: number; perClient: number; queue: number }) {
  const slots = createTransferSlots(limits)
  const admitted: string[] = []
  const take = async (client: string, until = signal, weight = 1) => {
    const isAnonymous = client.startsWith('nobody')
    const release = await slots.take(client, until, { weight, isAnonymous })
    admitted.push(client)
    return release
  }
  return { take, admitted }
}

/** Lets everything that waits for a resolved promise go on. */
const settle = () => new Promise(setImmediate)

describe('transfer slots', () => {
  it('are limited in all, and admit in order of arrival', async () => {
    const { take, admitted } = build({ total: 2, perClient: 2, queue: 10 })
    const [first] = ['a', 'b', 'c', 'd'].map((client) => take(client))
    await settle()
    expect(admitted).toEqual(['a', 'b'])
    const release = await first
    release?.()
    release?.()
    await settle()
    expect(admitted).toEqual(['a', 'b', 'c'])
  })

  it('are limited for each client, and others overtake one that has its share', async () => {
    const { take, admitted } = build({ total: 3, perClient: 1, queue: 10 })
    const first = take('a')
    void take('a')
    void take('b')
    await settle()
    expect(admitted).toEqual(['a', 'b'])
    ;(await first)()
    await settle()
    expect(admitted).toEqual(['a', 'b', 'a'])
  })

  it('are admitted first to the clients that have the fewest', async () => {
    const { take, admitted } = build({ total: 3, perClient: 3, queue: 20 })
    const first = take('a')
    for (const client of ['a', 'a', 'a', 'a', 'b', 'c']) void take(client)
    await settle()
    expect(admitted).toEqual(['a', 'a', 'a'])
    ;(await first)()
    await settle()
    expect(admitted).toEqual(['a', 'a', 'a', 'b'])
  })

  it('leave half to users, whatever clients without an account take', async () => {
    const { take, admitted } = build({ total: 4, perClient: 4, queue: 8 })
    for (let count = 0; count < 6; count += 1) void take(`nobody ${count}`)
    await settle()
    expect(admitted).toEqual(['nobody 0', 'nobody 1'])
    await expect(take('nobody 6')).rejects.toMatchObject({ code: 'too_many_requests' })
    await take('a')
    await take('b')
    void take('c')
    await settle()
    expect(admitted).toEqual(['nobody 0', 'nobody 1', 'a', 'b'])
  })

  it('refuse when the queue is full, for one client or for all', async () => {
    const { take } = build({ total: 1, perClient: 1, queue: 8 })
    const refused = { code: 'too_many_requests', detail: { retryAfter: 10 } }
    for (let count = 0; count < 3; count += 1) void take('a')
    await expect(take('a')).rejects.toMatchObject(refused)
    for (const client of ['b', 'c', 'd'])
      for (let count = 0; count < 2; count += 1) void take(client)
    await expect(take('e')).rejects.toMatchObject(refused)
  })

  it('refuse everything beyond the slots without a queue', async () => {
    const { take } = build({ total: 1, perClient: 1, queue: 0 })
    await take('a')
    await expect(take('b')).rejects.toMatchObject({ code: 'too_many_requests' })
  })

  it('count by weight, and a heavy transfer is not overtaken by light ones', async () => {
    const { take, admitted } = build({ total: 4, perClient: 3, queue: 10 })
    const first = await take('a', signal, 2)
    const second = await take('b', signal, 2)
    void take('c', signal, 3)
    void take('d', signal, 1)
    first()
    await settle()
    expect(admitted).toEqual(['a', 'b'])
    second()
    await settle()
    expect(admitted).toEqual(['a', 'b', 'c', 'd'])
  })

  it('admit those behind a heavy transfer whose client disconnects', async () => {
    const { take, admitted } = build({ total: 4, perClient: 4, queue: 10 })
    await take('a', signal, 2)
    const leaving = new AbortController()
    const heavy = take('b', leaving.signal, 4)
    void take('c', signal, 2)
    await settle()
    expect(admitted).toEqual(['a'])
    leaving.abort()
    await expect(heavy).rejects.toThrow()
    await settle()
    expect(admitted).toEqual(['a', 'c'])
  })

  it('forget a client that disconnects while it waits', async () => {
    const { take, admitted } = build({ total: 1, perClient: 1, queue: 4 })
    const first = await take('a')
    const leaving = new AbortController()
    const waiting = take('b', leaving.signal)
    void take('c')
    leaving.abort()
    await expect(waiting).rejects.toThrow()
    first()
    await settle()
    expect(admitted).toEqual(['a', 'c'])
  })
})
