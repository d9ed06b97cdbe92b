import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import {
  baselineScript,
  cgitScript,
  httpBackendScript,
  idleScript,
  serverFolder,
  serverScript,
} from './paths.ts'
import { serverCore, startNode, stopProcess } from './pinned.ts'

/** A running server under test. */
export interface Target {
  /** `http://127.0.0.1:1234` */
  url: string
  pid: number
  stop: () => Promise<void>
}

/** Both servers use it in links, so that their responses can be compared byte by byte. */
const externalUrl = 'http://bench.test'

/** Builds the server as it is shipped. */
export function buildServer(): void {
  execFileSync(process.execPath, ['build.ts'], { cwd: serverFolder, stdio: 'inherit' })
}

/** As `pnpm start` and the installed program run it. */
const flags = [
  '--min-semi-space-size=4',
  '--max-semi-space-size=4',
  '--heap-growing-percent=30',
  '--no-node-snapshot',
]

export interface StithyOptions {
  /** The bundled program; default: that of this checkout. */
  script?: string | undefined
  /** Default: the core of the server under test. `any` where its threads need the other one too. */
  core?: number | 'any'
  execArgv?: readonly string[]
  /** Environment variables besides the common ones. */
  env?: Readonly<Record<string, string>>
}

/** Starts the built server on a data folder. Resolves when it responds. */
export async function startStithy(folder: string, options: StithyOptions = {}): Promise<Target> {
  return (await launchStithy(folder, options)).ready
}

/** Starts the built server; `ready` resolves when it responds. */
export async function launchStithy(
  folder: string,
  { core = serverCore, script = serverScript, execArgv = [], env: settings = {} }: StithyOptions,
): Promise<{ ready: Promise<Target> }> {
  const port = await freePort()
  const env = {
    ...process.env,
    STITHY_DATA: folder,
    STITHY_PORT: String(port),
    STITHY_EXTERNAL_URL: externalUrl,
    STITHY_RATE_LIMIT_ANONYMOUS: '0',
    STITHY_LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '1048576',
    ...settings,
  }
  const child = startNode(script, ['serve'], { core, execArgv: [...flags, ...execArgv], env })
  return { ready: whenReady(child, port, '/-/liveness') }
}

/** How the baseline counts the rows of a list: for each request, or cached as the server does. */
export type Counts = 'each' | 'remembered'

/** Starts the hand-written baseline on the same data. */
export async function startBaseline(
  folder: string,
  counts: Counts,
  settings: Readonly<Record<string, string>> = {},
): Promise<Target> {
  const port = await freePort()
  const env = {
    ...process.env,
    BENCH_DATA: folder,
    BENCH_COUNTS: counts,
    BENCH_PORT: String(port),
    BENCH_EXTERNAL_URL: externalUrl,
    NODE_ENV: 'production',
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '1048576',
    ...settings,
  }
  const execArgv = ['--conditions=@stithy/source']
  const child = startNode(baselineScript, [], { core: serverCore, execArgv, env })
  return whenReady(child, port, '/-/liveness')
}

/** Starts git's own HTTP server on a folder of repositories. */
export async function startHttpBackend(folder: string): Promise<Target> {
  const port = await freePort()
  const env = { ...process.env, BENCH_REPOSITORIES: folder, BENCH_PORT: String(port) }
  const child = startNode(httpBackendScript, [], { core: serverCore, env })
  return whenReady(child, port, '/-/liveness')
}

/** Starts a server of cgit's pages with a configuration file. */
export async function startCgit(config: string): Promise<Target> {
  const port = await freePort()
  const env = { ...process.env, BENCH_CGIT_CONFIG: config, BENCH_PORT: String(port) }
  const child = startNode(cgitScript, [], { core: serverCore, env })
  return whenReady(child, port, '/-/liveness')
}

/** Starts a server that does nothing but answer, not bound to a core. */
export async function startIdle(): Promise<Target> {
  const port = await freePort()
  const env = { ...process.env, BENCH_PORT: String(port) }
  return whenReady(startNode(idleScript, [], { core: 'any', env }), port, '/-/liveness')
}

async function whenReady(
  child: ReturnType<typeof startNode>,
  port: number,
  path: string,
): Promise<Target> {
  const url = `http://127.0.0.1:${port}`
  const deadline = performance.now() + 60_000
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}`)
    const answer = await fetch(url + path).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.ok && child.pid !== undefined) {
      return { url, pid: child.pid, stop: () => stopProcess(child) }
    }
    await delay(2)
  }
  await stopProcess(child)
  throw new Error(`The server on port ${port} does not answer`)
}

/** A free port. */
async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('There is no free port')
  return address.port
}
