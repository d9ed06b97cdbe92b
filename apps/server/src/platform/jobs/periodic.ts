import type { App } from '../app.ts'

export interface PeriodicTask {
  everyMs: number
  /** Whether the task also runs at once. */
  startsNow?: boolean
  run: () => Promise<void>
  /** What is logged when `run` rejects. */
  failure: string
}

export interface Periodic {
  /** Resolves when the task does not run and will not run again. */
  stop: () => Promise<void>
}

/** Runs a task periodically, never twice at the same time. Its timer doesn't keep the process. */
export function startPeriodic(app: App, task: PeriodicTask): Periodic {
  const run = () =>
    task.run().catch((error: unknown) => {
      app.log.warn({ err: error }, task.failure)
    })
  let last = task.startsNow ? run() : Promise.resolve()
  const timer = setInterval(() => {
    last = last.then(run)
  }, task.everyMs).unref()
  return {
    stop() {
      clearInterval(timer)
      return last
    },
  }
}
