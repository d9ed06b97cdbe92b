import { describe, expect, it } from 'vitest'
import type { BrokerHost } from './host.ts'
import { createSlots } from './slots.ts'
import { createSpawner } from './start.ts'

/** A broker that starts nothing and reports nothing. */
function silentHost(sent: object[]): BrokerHost {
  const channel = { token: '', socket: new Promise<never>(() => {}), cancel() {} }
  return {
    nextId: () => 1,
    channels: { expect: () => channel },
    watch() {},
    send: (message: object) => void sent.push(message),
  } as unknown as BrokerHost
}

describe('close of a spawner', () => {
  it('resolves although an exit is never reported, after SIGKILL', async () => {
    const sent: object[] = []
    const spawner = createSpawner(silentHost(sent), 'git', createSlots(1))
    spawner.start({ args: ['version'] }).catch(() => {})
    await spawner.close()
    expect(sent).toMatchObject([
      { kind: 'start' },
      { kind: 'kill', signal: 'SIGTERM' },
      { kind: 'kill', signal: 'SIGKILL' },
    ])
  })

  it('resolves at once without processes', async () => {
    await createSpawner(silentHost([]), 'git', createSlots(1)).close()
  })
})
