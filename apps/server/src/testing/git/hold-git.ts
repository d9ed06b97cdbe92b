import { vi } from 'vitest'
import type { TestServer } from '../test-server.ts'

/** Starts git with an argument, such as `merge-tree`, only once the returned function is called. */
export function holdGit(server: TestServer, argument: string): () => void {
  const { spawner } = server.app.git.parts
  const start = spawner.start.bind(spawner)
  const held = Promise.withResolvers<void>()
  const spy = vi.spyOn(spawner, 'start').mockImplementation(async (options) => {
    if (options.args.includes(argument)) await held.promise
    return start(options)
  })
  return () => {
    held.resolve()
    spy.mockRestore()
  }
}
