import { vi } from 'vitest'
import type { TestServer } from '../test-server.ts'

/** Lets git merge only once the returned function is called. */
export function holdMerges(server: TestServer): () => void {
  const { spawner } = server.app.git.parts
  const start = spawner.start.bind(spawner)
  const held = Promise.withResolvers<void>()
  const spy = vi.spyOn(spawner, 'start').mockImplementation(async (options) => {
    if (options.args.includes('merge-tree')) await held.promise
    return start(options)
  })
  return () => {
    held.resolve()
    spy.mockRestore()
  }
}
