import { vi } from 'vitest'
import type { TestServer } from '../test-server.ts'

/** Lets git merge only once the returned function is called. `reached` resolves when it waits. */
export function holdMerges(server: TestServer): { reached: Promise<void>; release: () => void } {
  const { spawner } = server.app.git.parts
  const start = spawner.start.bind(spawner)
  const held = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const spy = vi.spyOn(spawner, 'start').mockImplementation(async (options) => {
    if (options.args.includes('merge-tree')) {
      reached.resolve()
      await held.promise
    }
    return start(options)
  })
  return {
    reached: reached.promise,
    release() {
      held.resolve()
      spy.mockRestore()
    },
  }
}
