import { existsSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type BrokerHost, openGit } from '@stithy/git'
import { acquireLock, type Database, openDatabase } from '@stithy/store'
import type { Logger } from 'pino'
import { enqueueCatchUp } from '../activity/search-index/search-index.jobs.ts'
import type { App } from '../platform/app.ts'
import { setEffects } from '../platform/changes/record-change.ts'
import type { Config } from '../platform/config/config.ts'
import { requestLimitTable } from '../platform/config/request-limits.ts'
import { createRateLimiter } from '../platform/http/rate-limiter.ts'
import { noteMailSender } from '../platform/mail/mail.ts'
import { type MailTransport, openMailTransport } from '../platform/mail/mail-transport.ts'
import { createSharedCounters } from '../platform/metrics/shared-counters.ts'
import { brokerScript, threadScripts } from '../platform/runtime.ts'
import { loadSecretBox } from '../platform/secrets/secret-box.ts'
import { loadSettings } from '../platform/settings/settings-cache.ts'
import { effects } from './effects.ts'
import { tables } from './tables.ts'

export interface OpenApp {
  app: App
  /** Names of the migrations that were applied. */
  applied: readonly string[]
  close: () => Promise<void>
}

/** Thrown when a data folder can't be created, or is used by another process. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError'
}

export interface OpenOptions {
  /**
   * Refuse to open a data folder that another server holds. Commands that run while a server does leave
   * it off.
   */
  exclusive?: boolean
  /** Refuse a data folder on which no server was started. */
  existing?: boolean
  now?: () => number
  database?: Database
  /** A git broker shared by several apps of this process; default: a separate one. */
  broker?: BrokerHost
}

/**
 * Opens the database and the repositories of a data folder, and brings the schema up to date.
 * @throws DataFolderError
 */
export async function openApp(
  config: Config,
  log: Logger,
  options: OpenOptions = {},
): Promise<OpenApp> {
  if (options.existing === true) requireDataFolder(config)
  for (const folder of [config.data, ...Object.values(config.repositoryStorages)]) {
    await createFolder(folder)
  }
  const lock = options.exclusive ? lockDataFolder(config) : undefined
  const db = options.database ?? (await openStore(config, log, lock !== undefined))
  const applied = await db.migrate()
  if (applied.length > 0) log.info({ migrations: applied }, 'database migrated')
  // A data folder of before there was a search index, or a backup without it.
  if (db.searchIndex.isNew) await db.transaction((tx) => enqueueCatchUp(tx, Date.now()))
  const git = await openGit({
    logger: log,
    transferLimits: config.gitTransferLimits,
    ...(brokerScript ? { brokerScript } : {}),
    ...(options.broker ? { broker: options.broker } : {}),
  })
  setEffects(effects)
  const secrets = await loadSecretBox(config)
  const settingsCache = await loadSettings(db, secrets, log)
  const { values: settings } = settingsCache
  const now = options.now ?? Date.now
  const limiters = createLimiters(now)
  const counters = createSharedCounters(db, log)
  const { mailTransport, closeMail } = await openMail(config)
  const parts = { config, db, git, secrets, settings, settingsCache, ...limiters, counters }
  const app: App = { ...parts, mailTransport, now, log, ...tables }
  const close = async () => {
    closeMail()
    await git.close()
    await counters.flush()
    await db.close()
    lock?.release()
  }
  return { app, applied, close }
}

function createLimiters(now: () => number): Pick<App, 'signInLimiters' | 'mailedLinkLimiters'> {
  const { signIn, mailedLink } = requestLimitTable
  const minute = 60_000
  const limiter = ({ value: limit }: { value: number }, windowMs: number) =>
    createRateLimiter({ limit, windowMs, now })
  return {
    signInLimiters: {
      account: limiter(signIn.perAccount, minute),
      network: limiter(signIn.perNetwork, minute),
    },
    mailedLinkLimiters: {
      address: limiter(mailedLink.perAddress, 60 * minute),
      network: limiter(mailedLink.perNetwork, minute),
    },
  }
}

async function openMail(
  config: Config,
): Promise<{ mailTransport: MailTransport | undefined; closeMail: () => void }> {
  if (config.mail === undefined) return { mailTransport: undefined, closeMail: () => {} }
  const mailTransport = await openMailTransport(config.mail)
  const forget = noteMailSender()
  const closeMail = () => {
    forget()
    mailTransport.close()
  }
  return { mailTransport, closeMail }
}

function openStore(config: Config, log: Logger, checkSearchIndex: boolean): Promise<Database> {
  const location =
    config.databaseUrl === '' ? { file: databaseFile(config.data) } : { url: config.databaseUrl }
  const { durability } = config
  return openDatabase({ ...location, durability, threadScripts, logger: log, checkSearchIndex })
}

/** A mistyped name looks like a new installation, which only a server makes. */
function requireDataFolder({ data, databaseUrl }: Config): void {
  const what = existsSync(data) ? 'has no database' : 'does not exist'
  if (existsSync(databaseUrl === '' ? databaseFile(data) : data)) return
  throw new DataFolderError(
    `The data folder ${data} ${what}: choose another with --data, or run \`stithy serve\` on it first.`,
  )
}

function databaseFile(data: string): string {
  return join(data, 'stithy.db')
}

/**
 * Creates a folder and those above it. `mkdir` with `recursive` never returns where the file system
 * refuses folders, as in `/proc`.
 */
async function createFolder(folder: string): Promise<void> {
  const parent = dirname(folder)
  if (parent !== folder && !existsSync(parent)) await createFolder(parent)
  try {
    await mkdir(folder, { mode: 0o750 })
  } catch (error) {
    if (!existsSync(folder) || !statSync(folder).isDirectory()) {
      throw new DataFolderError(`The folder ${folder} can't be created: ${messageOf(error)}`)
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** On PostgreSQL several servers may share one storage; on SQLite a data folder has one server. */
function lockDataFolder(config: Config): { release: () => void } | undefined {
  if (config.databaseUrl !== '') return undefined
  const lock = acquireLock(join(config.data, 'server.lock'))
  if (lock === undefined) {
    throw new DataFolderError(
      `Another server is running on the data folder ${config.data}. Stop it first, or choose another folder with --data.`,
    )
  }
  return lock
}
