import { LRUCache } from 'lru-cache'
import type { Spawner } from '../broker/start.ts'
import type { CatFileObject } from './cat-file-parser.ts'
import { type ObjectProcess, ReaderExitedError, startObjectProcess } from './object-process.ts'

/** How an object is asked for. */
export interface AskOptions {
  /** Whether by a reader of its own, which yields to those that requests wait for. */
  background?: boolean
}

/** Long-lived readers, one per repository in use, and one more for what is read in the background. */
export interface ObjectPool {
  ask(
    repository: string,
    command: 'info' | 'contents',
    name: string,
    options?: AskOptions,
  ): Promise<CatFileObject | undefined>
  /** Ends the readers of a repository. */
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
  const open = (repository: string, background: boolean): Promise<ObjectProcess> => {
    const key = keyOf(repository, background)
    const forget = () => {
      if (processes.peek(key, { allowStale: true }) === process) processes.delete(key)
    }
    const process = startObjectProcess(spawner, { repository, background }, forget)
    process.catch(forget)
    processes.set(key, process)
    return process
  }
  const timer = setInterval(() => processes.purgeStale(), Math.max(100, idleMs / 4)).unref()
  return {
    get size() {
      return processes.size
    },
    async ask(repository, command, name, { background = false } = {}) {
      const key = keyOf(repository, background)
      for (let attempt = 0; ; attempt += 1) {
        try {
          const process = await (processes.get(key) ?? open(repository, background))
          return await process.ask(command, name)
        } catch (error) {
          if (!(error instanceof ReaderExitedError) || attempt === 3) throw error
        }
      }
    },
    forget(repository) {
      for (const background of [false, true]) processes.delete(keyOf(repository, background))
    },
    close() {
      clearInterval(timer)
      processes.clear()
    },
  }
}

function keyOf(repository: string, background: boolean): string {
  return background ? `background ${repository}` : repository
}
