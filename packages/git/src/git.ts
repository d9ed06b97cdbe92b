import { availableParallelism } from 'node:os'
import { defaultBrokerScript, type HostLogger, openHost } from './broker/host.ts'
import { type RunOptions, type RunResult, run } from './broker/run.ts'
import { createSlots, type Slots } from './broker/slots.ts'
import { createStarter, type Starter } from './broker/start.ts'
import { GitError } from './git-error.ts'
import { type ByteCache, createByteCache } from './reading/byte-cache.ts'
import { createObjectPool, type ObjectPool } from './reading/object-pool.ts'
import { createHookFolder, type HookFolder } from './transport/push-hook.ts'

/** Where warnings go; pino's loggers fit. */
export type GitLogger = HostLogger

/** How git is opened; everything has a default. */
export interface GitOptions {
  /** Path of the broker's script; set it where the program is bundled into one file. */
  brokerScript?: string
  /** The git binary; default `git`, found on PATH. */
  binary?: string
  /** Most long-lived object readers, one a repository; default 16. */
  maxReaders?: number
  /**
   * Most short-lived processes (lists, diffs, ref changes) at once; more wait. Fetches, pushes and
   * object readers don't count. Default 4 for each processor.
   */
  maxProcesses?: number
  /**
   * Fetches that are served at once; more wait, for ten seconds at the most, since a client may take as
   * long as it likes. Default 8 for each processor.
   */
  maxFetches?: number
  /** Milliseconds after which an idle object reader ends; default 60,000. */
  readerIdleMs?: number
  /** Bytes of the cache of immutable objects and pages; default 64 MiB. */
  objectCacheBytes?: number
  /**
   * Where the hook is written that judges pushes to protected refs; default: a temporary folder. Its
   * file system must let programs run.
   */
  hooksFolder?: string
  logger?: GitLogger
}

/** A bare repository. */
export interface Repository {
  /** Absolute path of its folder. */
  path: string
}

/** The open engine: hand it to every function of this package, close it at the end. */
export interface Git {
  /** Of the git binary, such as `2.39.5`. */
  readonly version: string
  /** Git processes started so far. */
  readonly spawnCount: number
  /** Process id of the broker; undefined between a crash and the next request. */
  readonly brokerPid: number | undefined
  /** Drops everything known of a path, so that another repository may take its place. */
  forget(path: string): void
  /** Kills what still runs and ends the broker. What is pending fails. */
  close(): Promise<void>
  /** The engine's parts, for the functions of this package alone. */
  readonly parts: GitParts
}

/** What the functions of this package share. */
export interface GitParts {
  starter: Starter
  fetches: Slots
  objects: ObjectPool
  cache: ByteCache
  hooks: HookFolder
  /** A short prefix for cache keys that changes when the path is forgotten. */
  scopeOf(path: string): string
  forget(path: string): void
}

const maxScopes = 100_000
const fetchPatienceMs = 10_000

/** Runs git in a repository to its end; see `run` for what it throws. */
export function runIn(
  git: Git,
  repository: Repository,
  args: string[],
  options: Omit<RunOptions, 'args' | 'repository'> = {},
): Promise<RunResult> {
  return run(git.parts.starter, { ...options, args, repository: repository.path })
}

async function readVersion(starter: Starter): Promise<string> {
  const { stdout } = await run(starter, { args: ['version'], timeoutMs: 10_000 })
  const [, version, major, minor] = /git version ((\d+)\.(\d+)\S*)/.exec(stdout.toString()) ?? []
  if (!version || Number(major) * 1000 + Number(minor) < 2038) {
    throw new GitError('failed', `git 2.38 or later is needed, found ${stdout.toString().trim()}`)
  }
  return version
}

function createParts(starter: Starter, options: GitOptions): GitParts {
  const scopes = new Map<string, string>()
  const objects = createObjectPool(
    starter,
    options.maxReaders ?? 16,
    options.readerIdleMs ?? 60_000,
  )
  let lastScope = 0
  return {
    starter,
    fetches: createSlots(options.maxFetches ?? 8 * availableParallelism(), fetchPatienceMs),
    objects,
    cache: createByteCache(options.objectCacheBytes ?? 64 * 1024 * 1024),
    hooks: createHookFolder(options.hooksFolder),
    scopeOf(path) {
      const known = scopes.get(path)
      if (known) return known
      lastScope += 1
      const scope = `${lastScope.toString(36)}:`
      scopes.set(path, scope)
      // Far more than the cache has room for: the oldest has nothing left to find there.
      if (scopes.size > maxScopes) scopes.delete(scopes.keys().next().value ?? '')
      return scope
    },
    forget(path) {
      objects.forget(path)
      scopes.delete(path)
    },
  }
}

/** Starts the broker and looks at the git binary. Throws GitError when that is missing or too old. */
export async function openGit(options: GitOptions = {}): Promise<Git> {
  const host = await openHost(options.brokerScript ?? defaultBrokerScript(), options.logger)
  const slots = createSlots(options.maxProcesses ?? 4 * availableParallelism())
  const starter = createStarter(host, options.binary ?? 'git', slots)
  const version = await readVersion(starter).catch(async (error) => {
    await host.close()
    throw error
  })
  const parts = createParts(starter, options)
  return {
    version,
    parts,
    get spawnCount() {
      return starter.count
    },
    get brokerPid() {
      return host.pid
    },
    forget: parts.forget,
    async close() {
      parts.objects.close()
      parts.cache.clear()
      await host.close()
      await parts.hooks.close()
    },
  }
}
