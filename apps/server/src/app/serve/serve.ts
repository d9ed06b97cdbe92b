import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { SshServer } from '../../code/git-ssh/ssh-server.ts'
import type { Config } from '../../platform/config/config.ts'
import { servedQueues } from '../../platform/jobs/queues.ts'
import type { Worker } from '../../platform/jobs/worker.ts'
import { watchSettings } from '../../platform/settings/settings-cache.ts'
import { collectGarbageOnce } from '../../platform/threads/collect-garbage.ts'
import { resumeOptimization } from '../../platform/threads/optimization.ts'
import { ensureRoot, type FirstStart } from '../ensure-root.ts'
import { type OpenApp, openApp } from '../open-app.ts'
import { buildServer } from '../server.ts'
import { createLog } from './log.ts'
import { reconcile } from './reconcile.ts'
import { startJobs } from './start-jobs.ts'
import { logUnhandledRejections } from './unhandled-rejections.ts'

export interface RunningServer {
  /** `http://127.0.0.1:8080` */
  address: string
  /** Stops accepting requests, finishes those in flight, and releases all resources. */
  stop: () => Promise<void>
}

/** Milliseconds after which requests and jobs in progress are aborted. */
const graceMs = 7_000

/**
 * Starts a server; resolves once it accepts requests. Before that, `onFirstStart` gets the secrets
 * that the first start generated, which are stored as hashes only.
 */
export async function serve(
  config: Config,
  onFirstStart: (secrets: FirstStart) => void,
): Promise<RunningServer> {
  servedQueues(config)
  const log = createLog(config)
  const opened = await openApp(config, log, { exclusive: true })
  const { app } = opened
  let server: FastifyInstance | undefined
  let ssh: SshServer | undefined
  try {
    await reconcile(app)
    server = await buildServer(app)
    const { rootPassword: password, rootToken: token } = config
    // Before it listens: a client could ask when its token is not stored yet.
    const firstStart = await ensureRoot(app, { password, token })
    if (firstStart !== undefined) onFirstStart(firstStart)
    // What only the start needed would stay for hours: an idle server allocates too little to be collected.
    collectGarbageOnce()
    resumeOptimization()
    const { host, port, sshPort } = config
    await server.listen({ host, port })
    // Loaded with its cryptography only where it is on.
    if (sshPort !== 0) {
      const { openSshServer } = await import('../../code/git-ssh/ssh-server.ts')
      ssh = await openSshServer(app, { host, port: sshPort })
    }
    return running({ server, ssh }, opened)
  } catch (error) {
    // It may be listening already, and would respond without a database.
    await Promise.all([server?.close(), ssh?.close()])
    await opened.close()
    throw error
  }
}

/** What accepts connections. */
interface Listeners {
  server: FastifyInstance
  ssh: SshServer | undefined
}

function running(listeners: Listeners, opened: OpenApp): RunningServer {
  const { app } = opened
  const worker = app.config.worker ? startJobs(app, 'server') : undefined
  const endWatch = watchSettings(app)
  const endLog = logUnhandledRejections(app.log)
  return {
    address: addressOf(listeners.server, app.config),
    stop: () => {
      endWatch()
      return stop(listeners, worker, opened).finally(endLog)
    },
  }
}

function addressOf(server: FastifyInstance, config: Config): string {
  const { port } = server.server.address() as AddressInfo
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return `http://${host}:${port}`
}

async function stop(
  { server, ssh }: Listeners,
  worker: Worker | undefined,
  opened: OpenApp,
): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), graceMs)
  // A connection whose last response was in flight when the server closed stays open otherwise.
  const sweep = setInterval(() => server.server.closeIdleConnections(), 50)
  try {
    await Promise.all([server.close(), ssh?.close(), worker?.stop()])
  } finally {
    clearTimeout(cut)
    clearInterval(sweep)
    await opened.close()
  }
}
