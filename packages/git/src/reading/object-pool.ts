import { LRUCache } from 'lru-cache'
import type { Spawner } from '../broker/start.ts'
import type { CatFileObject } from './cat-file-parser.ts'
import { type ObjectProcess, ReaderExitedError, startObjectProcess } from './object-process.ts'

/** Long-lived readers, one per repository in use. */
export interface ObjectPool {
  ask(
    repository: string,
    command: 'info' | 'contents',
    name: string,
  ): Promise<CatFileObject | undefined>
  /** Ends the reader of a repository. */
  forget(repository: string): void
  /** Ends all readers. */
  close(): void
  readonly size: number
}

/** Creates a pool of at most `limit` processes; one that is idle for `idleMs` ends. */
export function createObjectPool(spawner: Spawner, limit: number, idleMs: number): ObjectPool {
  const processes = new LRUCache<string, Promise<ObjectProcess>>({
    max: limit,
    ttl: idleMs,
    updateAgeOnGet: true,
    dispose: (disposed) => {
      disposed.then((process) => process.close()).catch(() => {})
    },
  })
  const open = (repository: string): Promise<ObjectProcess> => {
    const forget = () => {
      if (processes.peek(repository, { allowStale: true }) === process) processes.delete(repository)
    }
    const process = startObjectProcess(spawner, repository, forget)
    process.catch(forget)
    processes.set(repository, process)
    return process
  }
  const timer = setInterval(() => processes.purgeStale(), Math.max(100, idleMs / 4)).unref()
  return {
    get size() {
      return processes.size
    },
    async ask(repository, command, name) {
      for (let attempt = 0; ; attempt += 1) {
        try {
          const process = await (processes.get(repository) ?? open(repository))
          return await process.ask(command, name)
        } catch (error) {
          if (!(error instanceof ReaderExitedError) || attempt === 3) throw error
        }
      }
    },
    forget(repository) {
      processes.delete(repository)
    },
    close() {
      clearInterval(timer)
      processes.clear()
    },
  }
}
