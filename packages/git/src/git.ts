import { execFile } from 'node:child_process'
import { availableParallelism, platform } from 'node:os'
import { promisify } from 'node:util'
import { type BrokerHost, defaultBrokerScript, type HostLogger, openHost } from './broker/host.ts'
import type { ProcessLimits } from './broker/limits.ts'
import { type RunOptions, type RunResult, run } from './broker/run.ts'
import { createSlots } from './broker/slots.ts'
import { createSpawner, type Spawner } from './broker/start.ts'
import { gitEnvironment } from './environment.ts'
import { GitError } from './git-error.ts'
import { type ByteCache, createByteCache } from './reading/byte-cache.ts'
import { createObjectPool, type ObjectPool } from './reading/object-pool.ts'

/** Logs warnings; pino's loggers fit. */
export type GitLogger = HostLogger

/** Options of `openGit`; all have a default. */
export interface GitOptions {
  /** Path of the broker's script; set it if the program is bundled into one file. */
  brokerScript?: string
  /** A broker shared by several engines, closed by its owner; default: a separate one. */
  broker?: BrokerHost
  /** The git binary; default `git`, found on PATH. */
  binary?: string
  /** The maximum number of long-lived object readers, one per repository; default 16. */
  maxReaders?: number
  /**
   * The maximum number of concurrent short-lived processes (lists, diffs, ref changes); more wait.
   * Fetches, pushes and object readers don't count. Default 4 per processor.
   */
  maxProcesses?: number
  /** What each process that serves a fetch or a push may use. */
  transferLimits?: ProcessLimits
  /** Milliseconds after which an idle object reader ends; default 60,000. */
  readerIdleMs?: number
  /** Milliseconds without git processes after which the broker ends; default 60,000. */
  brokerIdleMs?: number
  /** Bytes of the cache of immutable objects and pages; default 8 MiB. */
  objectCacheBytes?: number
  logger?: GitLogger
}

/** A bare repository. */
export interface Repository {
  /** Absolute path of its folder. */
  path: string
}

/** The open engine: pass it to every function of this package, and close it at the end. */
export interface Git {
  /** Version of the git binary, such as `2.39.5`. */
  readonly version: string
  /** Git processes started so far. */
  readonly spawnCount: number
  /** Git processes that run now, readers of objects included. */
  readonly processCount: number
  /** Process id of the broker; undefined until the first request, and after a rest or a crash until the next one. */
  readonly brokerPid: number | undefined
  /** Drops everything cached for a path, so that another repository may replace it. */
  forget(path: string): void
  /** Kills running processes and stops the broker. Pending requests fail. */
  close(): Promise<void>
  /** The engine's parts, internal to this package. */
  readonly parts: GitParts
}

/** State that the functions of this package share. */
export interface GitParts {
  spawner: Spawner
  limits: { transfer: ProcessLimits; housekeeping: ProcessLimits }
  objects: ObjectPool
  cache: ByteCache
  /** A short prefix for cache keys that changes when the path is forgotten. */
  scopeOf(path: string): string
  forget(path: string): void
}

const mebibyte = 1024 * 1024

/**
 * The default limits of a fetch or push. A push of 3,000,000 objects fits, and a file as large as a
 * quarter of it that is compressed against its predecessor; of other files any size does.
 */
const defaultTransferLimits: ProcessLimits = { memoryBytes: 512 * mebibyte, cpuSeconds: 900 }

/** Repacking starts from all objects of a repository, where a push has a part of them. */
function housekeepingLimits({ memoryBytes }: ProcessLimits): ProcessLimits {
  return { memoryBytes: 4 * memoryBytes, cpuSeconds: 2 * 3600 }
}

/** Runs git in a repository to its end; see `run` for errors. */
export function runIn(
  git: Git,
  repository: Repository,
  args: string[],
  options: Omit<RunOptions, 'args' | 'repository'> = {},
): Promise<RunResult> {
  return run(git.parts.spawner, { ...options, args, repository: repository.path })
}

/** Without the broker, which would start for this alone, and take its memory. */
async function readVersion(binary: string): Promise<string> {
  const options = { cwd: '/', env: gitEnvironment(process.env), timeout: 10_000 }
  const { stdout } = await promisify(execFile)(binary, ['version'], options).catch((error) => {
    throw new GitError('failed', `git does not start: ${error.message}`, String(error))
  })
  const [, version, major, minor] = /git version ((\d+)\.(\d+)\S*)/.exec(stdout) ?? []
  if (!version || Number(major) * 1000 + Number(minor) < 2038) {
    throw new GitError('failed', `git 2.38 or later is required, found ${stdout.trim()}`)
  }
  return version
}

/** Collides with no key of a scope: those have no blank before their first colon. */
function scopeKey(path: string): string {
  return `scope ${path}`
}

function createParts(spawner: Spawner, options: GitOptions): GitParts {
  const cache = createByteCache(options.objectCacheBytes ?? 8 * mebibyte)
  const objects = createObjectPool(
    spawner,
    options.maxReaders ?? 16,
    options.readerIdleMs ?? 60_000,
  )
  const transfer = options.transferLimits ?? defaultTransferLimits
  let lastScope = 0
  return {
    spawner,
    limits: { transfer, housekeeping: housekeepingLimits(transfer) },
    objects,
    cache,
    scopeOf(path) {
      // Looked up before each key of the path, so it is evicted last.
      const known = cache.get(scopeKey(path))
      if (typeof known === 'string') return known
      lastScope += 1
      const scope = `${lastScope.toString(36)}:`
      cache.set(scopeKey(path), scope, 2 * path.length)
      return scope
    },
    forget(path) {
      objects.forget(path)
      cache.delete(scopeKey(path))
    },
  }
}

/**
 * Checks the git binary. The first process starts the broker.
 * @throws GitError if git is missing or too old.
 */
export async function openGit(options: GitOptions = {}): Promise<Git> {
  const { broker, brokerScript = defaultBrokerScript(), binary = 'git', logger } = options
  const version = await readVersion(binary)
  const host = broker ?? (await openHost(brokerScript, { logger, idleMs: options.brokerIdleMs }))
  const slots = createSlots(options.maxProcesses ?? 4 * availableParallelism())
  const spawner = createSpawner(host, binary, slots)
  const closeBroker = () => (broker === undefined ? host.close() : spawner.close())
  if (platform() !== 'linux') {
    logger?.warn({ platform: platform() }, 'git runs without limits of its whole memory')
  }
  const parts = createParts(spawner, options)
  return {
    version,
    parts,
    get spawnCount() {
      return spawner.count
    },
    get processCount() {
      return spawner.running
    },
    get brokerPid() {
      return host.pid
    },
    forget: parts.forget,
    async close() {
      parts.objects.close()
      parts.cache.clear()
      await closeBroker()
    },
  }
}
