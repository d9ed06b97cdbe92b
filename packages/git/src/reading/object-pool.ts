import type { Starter } from '../broker/start.ts'
import type { ObjectAnswer } from './answer-parser.ts'
import { type ObjectProcess, ReaderGoneError, startObjectProcess } from './object-process.ts'

/** Long-lived readers, one for each repository in use. */
export interface ObjectPool {
  ask(
    repository: string,
    command: 'info' | 'contents',
    name: string,
  ): Promise<ObjectAnswer | undefined>
  /** Ends the reader of a repository. */
  forget(repository: string): void
  /** Ends all readers. */
  close(): void
  readonly size: number
}

interface Entry {
  process: Promise<ObjectProcess>
  usedAt: number
}

type Entries = Map<string, Entry>

function drop(entries: Entries, repository: string): void {
  const entry = entries.get(repository)
  if (!entry) return
  entries.delete(repository)
  entry.process.then((process) => process.close()).catch(() => {})
}

function open(entries: Entries, starter: Starter, repository: string): Entry {
  const forget = () => {
    if (entries.get(repository) === entry) entries.delete(repository)
  }
  const process = startObjectProcess(starter, repository, forget)
  const entry: Entry = { process, usedAt: Date.now() }
  process.catch(forget)
  return entry
}

function acquire(entries: Entries, starter: Starter, repository: string, limit: number) {
  const entry = entries.get(repository) ?? open(entries, starter, repository)
  entry.usedAt = Date.now()
  entries.delete(repository)
  entries.set(repository, entry)
  const [oldest] = entries.keys()
  if (entries.size > limit && oldest !== undefined) drop(entries, oldest)
  return entry.process
}

/** A pool of at most `limit` processes; one that was idle for `idleMs` ends. */
export function createObjectPool(starter: Starter, limit: number, idleMs: number): ObjectPool {
  const entries: Entries = new Map()
  const sweep = () => {
    const oldest = Date.now() - idleMs
    for (const [repository, entry] of entries) if (entry.usedAt < oldest) drop(entries, repository)
  }
  const timer = setInterval(sweep, Math.max(100, idleMs / 4)).unref()
  return {
    get size() {
      return entries.size
    },
    async ask(repository, command, name) {
      for (let attempt = 0; ; attempt += 1) {
        try {
          const process = await acquire(entries, starter, repository, limit)
          return await process.ask(command, name)
        } catch (error) {
          if (!(error instanceof ReaderGoneError) || attempt === 3) throw error
        }
      }
    },
    forget: (repository) => drop(entries, repository),
    close() {
      clearInterval(timer)
      for (const repository of [...entries.keys()]) drop(entries, repository)
    },
  }
}
