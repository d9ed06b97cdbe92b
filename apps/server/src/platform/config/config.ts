import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isBranchOrTagName, trimEndCharacters } from '@stithy/core'
import type { Durability } from '@stithy/store'
import { parse } from 'smol-toml'
import { z } from 'zod'
import { type CodeLimits, defaultCodeLimits } from './code-limits.ts'
import { type MailConfig, mailConfigOf, mailSettings } from './mail-config.ts'
import { type PagesConfig, pagesConfigOf, pagesSettings } from './pages-config.ts'
import { flag, nameList, port, trustProxy } from './setting-types.ts'

export const tiers = ['community', 'premium', 'ultimate'] as const
export type Tier = (typeof tiers)[number]

/** Schema of every setting, by its name in the configuration file. */
const Settings = z.object({
  host: z.string().min(1).default('127.0.0.1'),
  port: port.default(8080),
  ssh_port: z.coerce.number().int().min(0).max(65_535).default(0),
  data: z.string().min(1).default('data'),
  external_url: z
    .url({ protocol: /^https?$/, error: 'it must be an http or https URL' })
    .refine((url) => URL.canParse(url) && new URL(url).pathname === '/' && !/[?#]/.test(url), {
      error: 'it must name a host without a path',
    })
    .optional(),
  database_url: z
    .string()
    .refine((url) => url === '' || (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)), {
      error: 'it must be a postgres:// URL',
    })
    .default(''),
  durability: z.enum(['disk', 'process']).default('disk'),
  tier: z.enum(tiers).default('ultimate'),
  default_branch: z
    .string()
    .refine(isBranchOrTagName, { error: 'it must be the name of a branch' })
    .default('master'),
  request_timeout: z.coerce.number().int().min(1).max(86_400).default(120),
  rate_limit_anonymous: z.coerce.number().int().min(0).default(200),
  receive_max_input_size: z.coerce.number().int().min(0).default(5120),
  git_memory_limit: z.coerce.number().int().min(64).default(512),
  git_processor_time_limit: z.coerce.number().int().min(1).default(900),
  git_inactivity_timeout: z.coerce.number().int().min(1).max(86_400).default(60),
  git_transfers: z.coerce.number().int().min(1).default(8),
  git_transfers_per_client: z.coerce.number().int().min(1).default(4),
  git_transfer_queue: z.coerce.number().int().min(0).default(128),
  event_streams: z.coerce.number().int().min(0).default(1000),
  event_streams_per_user: z.coerce.number().int().min(1).default(20),
  trust_proxy: trustProxy.default(false),
  allow_local_requests_from_hooks_and_services: flag.default(false),
  webhook_timeout: z.coerce.number().int().min(1).max(60).default(10),
  ...pagesSettings,
  worker: flag.default(true),
  worker_concurrency: z.coerce.number().int().min(1).max(64).default(2),
  worker_queues: nameList,
  worker_labels: nameList,
  metrics_token: z.string().min(20, { error: 'it must have 20 characters or more' }).optional(),
  ...mailSettings,
  log_level: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  root_password: z.string().min(8, { error: 'it must have 8 characters or more' }).optional(),
  root_token: z.string().min(20, { error: 'it must have 20 characters or more' }).optional(),
  secret_key: z.string().min(32, { error: 'it must have 32 characters or more' }).optional(),
})

export type SettingName = keyof typeof Settings.shape

/** The settings where nothing is configured. */
export function defaultSettings(): z.output<typeof Settings> {
  return Settings.parse({})
}

/** Settings in the form that the program uses. */
export interface Config {
  host: string
  port: number
  /** The port of git over SSH; 0 for none. */
  sshPort: number
  /** Absolute path of the directory with the database, the repositories and uploads. */
  data: string
  /** Without a trailing slash. */
  externalUrl: string
  /** Empty for SQLite in the data directory. */
  databaseUrl: string
  /** Whether a write is answered once it is on disk, or once the operating system has it. */
  durability: Durability
  tier: Tier
  defaultBranch: string
  /** How long the body of a request may take, except for git's, in milliseconds. */
  requestTimeoutMs: number
  /** Requests per second and IP address; 0 disables the limit. */
  rateLimitAnonymous: number
  /** Maximum size of the pack of a push in MiB; 0 for unlimited. */
  receiveMaxInputSize: number
  /** What each git process of a fetch or push may use; see `ProcessLimits` of the git package. */
  gitTransferLimits: { memoryBytes: number; cpuSeconds: number }
  /** How long a git client may neither send nor read what it should, in milliseconds. */
  gitInactivityTimeoutMs: number
  /** Fetches and pushes at once. */
  gitTransfers: number
  /** Fetches and pushes at once of one user, or of one network without an account. */
  gitTransfersPerClient: number
  /** Fetches and pushes that may wait, a quarter of them of one client. */
  gitTransferQueue: number
  /** Streams of events at once. */
  eventStreams: number
  /** Streams of events at once of one user. */
  eventStreamsPerUser: number
  /**
   * The proxies in front whose `X-Forwarded-*` headers are believed: how many, or the networks that
   * they are in; false for none.
   */
  trustProxy: number | string[] | false
  /** Whether webhooks may be delivered to addresses that are not public. */
  allowLocalHooks: boolean
  /** Timeout for the response to a webhook, in milliseconds. */
  webhookTimeoutMs: number
  pages: PagesConfig
  /** Whether the server runs jobs itself. */
  worker: boolean
  /** Jobs at the same time, besides those that wait for other servers. */
  workerConcurrency: number
  /** The queues that a worker serves; empty for all. */
  workerQueues: readonly string[]
  /** Shown with a worker among the processes. */
  workerLabels: readonly string[]
  /** A token that reads `/metrics` and nothing else. */
  metricsToken: string | undefined
  /** Undefined for none: no mail is sent. */
  mail: MailConfig | undefined
  logLevel: string
  rootPassword: string | undefined
  rootToken: string | undefined
  /** What secrets are encrypted with at rest; undefined for the key in the data directory. */
  secretKey: string | undefined
  /** Directories of bare repositories, by storage name. */
  repositoryStorages: Readonly<Record<string, string>>
  /** Limits of one request that reads code. */
  codeLimits: CodeLimits
  /** Cost of a password hash; tests use `minimal`. */
  passwordCost: 'standard' | 'minimal'
}

export interface ConfigSources {
  /** From the command line; undefined for flags that were not given. */
  flags?: Partial<Record<SettingName, unknown>>
  env?: Readonly<Record<string, string | undefined>>
  /** Path of a TOML file. */
  file?: string | undefined
}

/** Thrown for a setting with an invalid value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Loads the configuration. Flags take precedence over the environment (`STITHY_<NAME>`), which
 * takes precedence over the file (`name = value`).
 * @throws ConfigError with a message that names the setting and its source.
 */
export function loadConfig({ flags = {}, env = {}, file }: ConfigSources = {}): Config {
  const fromFile = file === undefined ? {} : readFile(file)
  const values: Record<string, unknown> = {}
  const origins = new Map<string, string>()
  for (const name of Object.keys(Settings.shape) as SettingName[]) {
    const variable = variableName(name)
    const candidates: [unknown, string][] = [
      [flags[name], `--${name.replaceAll('_', '-')}`],
      [blankIsUnset(env[variable]), variable],
      [fromFile[name], `${name} in ${file}`],
    ]
    const found = candidates.find(([value]) => value !== undefined)
    if (found === undefined) continue
    values[name] = found[0]
    origins.set(name, found[1])
  }
  const parsed = Settings.safeParse(values)
  if (!parsed.success) throw new ConfigError(sentence(parsed.error, values, origins))
  return toConfig(parsed.data)
}

/** `root_token` → `STITHY_ROOT_TOKEN`. */
function variableName(name: SettingName): string {
  return `STITHY_${name.toUpperCase()}`
}

function blankIsUnset(value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}

function readFile(path: string): Record<string, unknown> {
  let values: Record<string, unknown>
  try {
    values = parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    throw new ConfigError(`The configuration file ${path} cannot be read: ${reason}`)
  }
  const unknown = Object.keys(values).find((name) => !(name in Settings.shape))
  if (unknown !== undefined) {
    throw new ConfigError(`The configuration file ${path} has an unknown setting: ${unknown}`)
  }
  return values
}

const secretSettings: ReadonlySet<string> = new Set<SettingName>([
  'root_password',
  'root_token',
  'metrics_token',
  'database_url',
  'secret_key',
  'smtp_url',
])

function sentence(
  error: z.ZodError,
  values: Record<string, unknown>,
  origins: Map<string, string>,
): string {
  const [issue] = error.issues
  const name = String(issue?.path[0] ?? '')
  const value = secretSettings.has(name) ? 'its current value' : JSON.stringify(values[name])
  return `${origins.get(name) ?? name} cannot be ${value}: ${issue?.message ?? 'it is invalid'}`
}

function toConfig(settings: z.output<typeof Settings>): Config {
  const data = resolve(settings.data)
  const fallbackUrl = `http://${urlHost(settings.host)}:${settings.port}`
  const externalUrl = trimEndCharacters(settings.external_url ?? fallbackUrl, '/')
  return {
    host: settings.host,
    port: settings.port,
    sshPort: settings.ssh_port,
    data,
    externalUrl,
    databaseUrl: settings.database_url,
    durability: settings.durability,
    tier: settings.tier,
    defaultBranch: settings.default_branch,
    requestTimeoutMs: settings.request_timeout * 1000,
    rateLimitAnonymous: settings.rate_limit_anonymous,
    receiveMaxInputSize: settings.receive_max_input_size,
    gitTransferLimits: {
      memoryBytes: settings.git_memory_limit * 1024 * 1024,
      cpuSeconds: settings.git_processor_time_limit,
    },
    gitInactivityTimeoutMs: settings.git_inactivity_timeout * 1000,
    ...connectionLimitsOf(settings),
    trustProxy: settings.trust_proxy,
    allowLocalHooks: settings.allow_local_requests_from_hooks_and_services,
    webhookTimeoutMs: settings.webhook_timeout * 1000,
    pages: pagesConfigOf(settings),
    worker: settings.worker,
    workerConcurrency: settings.worker_concurrency,
    workerQueues: settings.worker_queues,
    workerLabels: settings.worker_labels,
    metricsToken: settings.metrics_token,
    mail: mailConfigOf(settings, externalUrl),
    logLevel: settings.log_level,
    rootPassword: settings.root_password,
    rootToken: settings.root_token,
    secretKey: settings.secret_key,
    repositoryStorages: { default: join(data, 'repositories') },
    codeLimits: defaultCodeLimits,
    passwordCost: 'standard',
  }
}

/** What is open at a time. */
function connectionLimitsOf(settings: z.output<typeof Settings>) {
  return {
    gitTransfers: settings.git_transfers,
    gitTransfersPerClient: settings.git_transfers_per_client,
    gitTransferQueue: settings.git_transfer_queue,
    eventStreams: settings.event_streams,
    eventStreamsPerUser: settings.event_streams_per_user,
  }
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Whether features of the tier `needed` are available; every tier includes the lower ones. */
export function tierAllows(tier: Tier, needed: 'premium' | 'ultimate'): boolean {
  return tiers.indexOf(tier) >= tiers.indexOf(needed)
}
