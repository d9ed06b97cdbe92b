import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type OpenApp, openApp } from '../app.ts'
import { ensureRoot, type FirstStart } from '../authentication/ensure-root.ts'
import type { Config } from '../config/config.ts'
import { buildServer } from '../http/server.ts'
import { jobHandlers, recurringJobs } from '../jobs/handlers.ts'
import { startWorker, type Worker } from '../jobs/worker.ts'
import { createLog } from './log.ts'
import { reconcile } from './reconcile.ts'

export interface RunningServer {
  /** `http://127.0.0.1:8080` */
  address: string
  /** What was generated on the first start, to be shown once. */
  firstStart: FirstStart | undefined
  /** Takes no new requests, finishes those in flight, and lets go of everything. */
  stop: () => Promise<void>
}

/** Requests and jobs that take longer than this to end are cut off. */
const graceMs = 7_000

/** Starts a server and resolves when it answers. */
export async function serve(config: Config): Promise<RunningServer> {
  const log = createLog(config)
  const opened = await openApp(config, log, { exclusive: true })
  const { app } = opened
  let server: FastifyInstance | undefined
  try {
    await reconcile(app)
    server = await buildServer(app)
    await server.listen({ host: config.host, port: config.port })
    // Only now: what the first start generates is shown once, so nothing may fail behind it.
    const firstStart = await ensureRoot(app, {
      password: config.rootPassword,
      token: config.rootToken,
    })
    return running(server, opened, firstStart)
  } catch (error) {
    // It may be listening already, and would answer without a database.
    await server?.close()
    await opened.close()
    throw error
  }
}

function running(
  server: FastifyInstance,
  opened: OpenApp,
  firstStart: FirstStart | undefined,
): RunningServer {
  const { app } = opened
  const worker = startWorker(app, { handlers: jobHandlers, recurring: recurringJobs })
  app.wakeWorker = worker.wake
  return {
    address: addressOf(server, app.config),
    firstStart,
    stop: () => stop(server, worker, opened),
  }
}

function addressOf(server: FastifyInstance, config: Config): string {
  const { port } = server.server.address() as AddressInfo
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return `http://${host}:${port}`
}

async function stop(server: FastifyInstance, worker: Worker, opened: OpenApp): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), graceMs)
  try {
    await Promise.all([server.close(), worker.stop()])
  } finally {
    clearTimeout(cut)
    await opened.close()
  }
}
