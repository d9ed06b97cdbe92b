import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { EndpointSpec } from '@stithy/core'
import { type Git, openGit } from '@stithy/git'
import { acquireLock, type Database, openDatabase } from '@stithy/store'
import type { Logger } from 'pino'
import { createRateLimiter, type RateLimiter } from './authentication/rate-limiter.ts'
import type { Config } from './config/config.ts'
import { brokerScript } from './runtime.ts'

/** What handlers, services and jobs may use; built once at start, handed in by tests. */
export interface App {
  config: Config
  db: Database
  git: Git
  /** Failed sign-ins, by account and address. */
  signInLimiter: RateLimiter
  /** Milliseconds since the epoch. */
  now: () => number
  log: Logger
  /** Tells the worker of this process that a job was added. */
  wakeWorker: () => void
  /** Tests hold every answer to its contract; it throws where one differs. */
  checkAnswer?: (endpoint: EndpointSpec, status: number, text: string) => void
}

export interface OpenApp {
  app: App
  /** Names of the migrations that were applied. */
  applied: readonly string[]
  close: () => Promise<void>
}

/** Somebody else works on this data folder. */
export class DataFolderInUseError extends Error {
  override readonly name = 'DataFolderInUseError'
}

export interface OpenOptions {
  /** Refuse to open a data folder that another server holds. Commands beside a server do not ask for it. */
  exclusive?: boolean
  now?: () => number
  database?: Database
}

/**
 * Opens the database and the repositories of a data folder, and brings the schema up to date.
 * @throws DataFolderInUseError
 */
export async function openApp(
  config: Config,
  log: Logger,
  options: OpenOptions = {},
): Promise<OpenApp> {
  for (const folder of [config.data, ...Object.values(config.repositoryStorages)]) {
    await mkdir(folder, { recursive: true, mode: 0o750 })
  }
  const lock = options.exclusive ? lockDataFolder(config) : undefined
  const db = options.database ?? (await openStore(config, log))
  const applied = await db.migrate()
  if (applied.length > 0) log.info({ migrations: applied }, 'database brought up to date')
  const git = await openGit({
    logger: log,
    hooksFolder: join(config.data, 'hooks'),
    ...(brokerScript ? { brokerScript } : {}),
  })
  const now = options.now ?? Date.now
  const signInLimiter = createRateLimiter({ limit: 10, windowMs: 60_000, now })
  const app: App = { config, db, git, signInLimiter, now, log, wakeWorker: () => {} }
  const close = async () => {
    await git.close()
    await db.close()
    lock?.release()
  }
  return { app, applied, close }
}

function openStore(config: Config, log: Logger): Promise<Database> {
  const place =
    config.databaseUrl === ''
      ? { file: join(config.data, 'stithy.db') }
      : { url: config.databaseUrl }
  return openDatabase({ ...place, logger: log })
}

/** On PostgreSQL several servers may share one storage; on SQLite a data folder has one server. */
function lockDataFolder(config: Config): { release: () => void } | undefined {
  if (config.databaseUrl !== '') return undefined
  const lock = acquireLock(join(config.data, 'server.lock'))
  if (lock === undefined) {
    throw new DataFolderInUseError(
      `Another server is running on the data folder ${config.data}. Stop it first, or choose another folder with --data.`,
    )
  }
  return lock
}
