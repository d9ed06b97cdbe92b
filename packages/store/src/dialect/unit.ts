import { AsyncLocalStorage } from 'node:async_hooks'
import { StoreError } from '../errors.ts'
import type { StoreLogger, Transaction } from '../queries.ts'
import { type Core, type Executor, queriesOver } from './executor.ts'

/** One transaction while it lasts. */
export interface Unit {
  readonly tx: Transaction
  /** Runs the work; rejects with the first failed statement even if the work caught it. */
  perform<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** After the end, successful or not: the handle is dead. */
  end(): void
  /** After the commit. */
  runCommitActions(): void
}

interface UnitState {
  open: boolean
  failure: { error: unknown } | undefined
}

const current = new AsyncLocalStorage<UnitState>()

/** Throws where waiting for the writer would be waiting for oneself. */
export function assertOutsideTransaction(): void {
  if (current.getStore()?.open !== true) return
  throw new StoreError('nested', 'Inside a transaction only its own handle may write')
}

export function createUnit<P>(core: Core<P>, executor: Executor<P>, logger: StoreLogger): Unit {
  const state: UnitState = { open: true, failure: undefined }
  const actions: (() => void)[] = []
  const tx: Transaction = {
    ...queriesOver(core, guard(executor, state)),
    onCommit: (action) => {
      actions.push(action)
    },
  }
  return {
    tx,
    async perform(work) {
      const result = await current.run(state, () => work(tx))
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
 * PostgreSQL gives up a transaction at its first failed statement; SQLite would go on. Both give up
 * here, so that no service comes to depend on the one that does not.
 */
function guard<P>(executor: Executor<P>, state: UnitState): Executor<P> {
  async function step<T>(work: () => T | Promise<T>): Promise<T> {
    if (!state.open) throw new StoreError('closed', 'The transaction is over')
    if (state.failure !== undefined) {
      throw new StoreError('aborted', 'A statement failed before', state.failure.error)
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
