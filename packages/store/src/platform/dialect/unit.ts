import { AsyncLocalStorage } from 'node:async_hooks'
import { StoreError } from '../errors.ts'
import type { StoreLogger, Transaction } from '../queries/queries.ts'
import { type Core, createQueries, type Executor } from './executor.ts'

/** One running transaction. */
export interface Unit {
  readonly tx: Transaction
  /** Runs the work; rejects with the first failed statement even if the work caught its error. */
  perform<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Invalidates the handle after the end, successful or not. */
  end(): void
  /** After the commit. */
  runCommitActions(): void
}

interface UnitState {
  open: boolean
  failure: { error: unknown } | undefined
}

const current = new AsyncLocalStorage<UnitState>()

/** Throws if the caller is inside a transaction and would wait for itself. */
export function assertOutsideTransaction(): void {
  if (current.getStore()?.open !== true) return
  throw new StoreError('nested', 'Inside a transaction, write only through its handle')
}

export function createUnit<P>(core: Core<P>, executor: Executor<P>, logger: StoreLogger): Unit {
  const state: UnitState = { open: true, failure: undefined }
  const actions: (() => void)[] = []
  const last = new Map<string, () => Promise<void>>()
  const wake = () => core.jobs.listener()
  const channels = new Set<string>()
  const tx: Transaction = {
    ...createQueries(core, guard(executor, state)),
    onCommit: (action) => {
      actions.push(action)
    },
    beforeCommit: (key, action) => {
      last.set(key, action)
    },
    wakeWorkers: () => {
      if (!actions.includes(wake)) actions.push(wake)
    },
    notify: (channel) => {
      if (channels.has(channel)) return
      channels.add(channel)
      actions.push(() => core.notifications.listener(channel))
    },
  }
  return {
    tx,
    async perform(work) {
      const result = await current.run(state, async () => {
        const answer = await work(tx)
        for (const key of [...last.keys()].toSorted()) await last.get(key)?.()
        return answer
      })
      if (state.failure !== undefined) throw state.failure.error
      return result
    },
    end() {
      state.open = false
    },
    runCommitActions() {
      for (const action of actions) runSafely(action, logger)
    },
  }
}

/**
 * PostgreSQL aborts a transaction at its first failed statement; SQLite would continue. Both abort
 * here, so that no service relies on SQLite's behaviour.
 */
function guard<P>(executor: Executor<P>, state: UnitState): Executor<P> {
  async function step<T>(work: () => T | Promise<T>): Promise<T> {
    if (!state.open) throw new StoreError('closed', 'The transaction has ended')
    if (state.failure !== undefined) {
      throw new StoreError('aborted', 'A previous statement failed', state.failure.error)
    }
    try {
      return await work()
    } catch (error) {
      state.failure ??= { error }
      throw error
    }
  }
  return {
    rows: (shape, values) => step(() => executor.rows(shape, values)),
    row: (shape, values) => step(() => executor.row(shape, values)),
    changes: (shape, values) => step(() => executor.changes(shape, values)),
  }
}

function runSafely(action: () => void, logger: StoreLogger): void {
  try {
    action()
  } catch (error) {
    logger.error({ err: error }, 'An action after a commit failed')
  }
}
