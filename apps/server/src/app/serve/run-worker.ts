import { type Config, loadConfig } from '../../platform/config/config.ts'
import { servedQueues } from '../../platform/jobs/queues.ts'
import { watchSettings } from '../../platform/settings/settings-cache.ts'
import { limitThreadHeaps } from '../../platform/threads/thread-heaps.ts'
import { openApp } from '../open-app.ts'
import { createLog } from './log.ts'
import { startFailure, stopOnSignal } from './run-server.ts'
import { startJobs } from './start-jobs.ts'
import { logUnhandledRejections } from './unhandled-rejections.ts'
import { lockAsWorker } from './worker-lock.ts'

/** `stithy worker`: until SIGTERM or SIGINT; a failed start ends with a message and status 1. */
export async function runWorker(
  flags: Record<string, unknown>,
  file: string | undefined,
): Promise<void> {
  // Files that jobs write are for its own user and group.
  process.umask(0o027)
  limitThreadHeaps()
  let running: { stop: () => Promise<void> }
  try {
    running = await work(loadConfig({ flags, env: process.env, file }))
  } catch (error) {
    process.stderr.write(`${startFailure(error)}\n`)
    process.exitCode = 1
    return
  }
  const stopped = stopOnSignal(running)
  process.stdout.write(`Stithy is running jobs, process ${process.pid}\n`)
  await stopped
}

async function work(config: Config): Promise<{ stop: () => Promise<void> }> {
  const queues = servedQueues(config)
  const log = createLog(config)
  const opened = await openApp(config, log, { existing: true })
  const lock = await lockAsWorker(config)
  const worker = startJobs(opened.app, 'worker')
  const endWatch = watchSettings(opened.app)
  const endLog = logUnhandledRejections(log)
  log.info({ queues }, 'the worker has started')
  // Timers of the worker don't keep the process.
  const alive = setInterval(() => {}, 60_000)
  return {
    async stop() {
      endWatch()
      try {
        await worker.stop()
      } finally {
        clearInterval(alive)
        await opened.close()
        lock?.release()
        endLog()
      }
    },
  }
}
