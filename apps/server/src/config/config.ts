import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'smol-toml'
import { z } from 'zod'
import { type CodeLimits, standardCodeLimits } from '../repositories/code-limits.ts'

export const tiers = ['community', 'premium', 'ultimate'] as const
export type Tier = (typeof tiers)[number]

const port = z.coerce
  .number({ error: 'it must be a number' })
  .int({ error: 'it must be a whole number' })
  .min(0, { error: 'it must be between 0 and 65535' })
  .max(65_535, { error: 'it must be between 0 and 65535' })
const flag = z.union([z.boolean(), z.stringbool()])

/** Every setting of the server: its name in the file, and what a value must be. */
const Settings = z.object({
  host: z.string().min(1).default('127.0.0.1'),
  port: port.default(8080),
  data: z.string().min(1).default('data'),
  external_url: z
    .url({ protocol: /^https?$/, error: 'it must be an http or https address' })
    .refine((url) => new URL(url).pathname === '/' && !/[?#]/.test(url), {
      error: 'it must name a host without a path',
    })
    .optional(),
  database_url: z
    .string()
    .refine((url) => url === '' || (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)), {
      error: 'it must be a postgres:// address',
    })
    .default(''),
  tier: z.enum(tiers).default('ultimate'),
  default_branch: z
    .string()
    .regex(/^[A-Za-z0-9_][A-Za-z0-9_./-]*$/)
    .default('master'),
  rate_limit_anonymous: z.coerce.number().int().min(0).default(200),
  receive_max_input_size: z.coerce.number().int().min(0).default(0),
  trust_proxy: flag.default(false),
  allow_local_requests_from_hooks_and_services: flag.default(false),
  webhook_timeout: z.coerce.number().int().min(1).max(60).default(10),
  log_level: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  root_password: z.string().min(8, { error: 'it must have 8 characters or more' }).optional(),
  root_token: z.string().min(20, { error: 'it must have 20 characters or more' }).optional(),
})

type SettingName = keyof typeof Settings.shape

/** The settings as the program uses them. */
export interface Config {
  host: string
  port: number
  /** Absolute path of the folder that holds the database, the repositories and uploads. */
  data: string
  /** Without a slash at the end. */
  externalUrl: string
  /** Empty: SQLite in the data folder. */
  databaseUrl: string
  tier: Tier
  defaultBranch: string
  /** Requests a second and address; 0 switches the limit off. */
  rateLimitAnonymous: number
  /** The largest pack that a push may bring, MiB; 0 for any. */
  receiveMaxInputSize: number
  trustProxy: boolean
  /** Whether hooks may go to addresses that are not public. */
  allowLocalHooks: boolean
  /** How long the answer to a hook is awaited, milliseconds. */
  webhookTimeoutMs: number
  logLevel: string
  rootPassword: string | undefined
  rootToken: string | undefined
  /** Where bare repositories lie, by the name of the storage. */
  repositoryStorages: Readonly<Record<string, string>>
  /** What one request may cost that reads code. */
  codeLimits: CodeLimits
  /** How much work a password hash costs; tests take little. */
  passwordCost: 'standard' | 'minimal'
}

export interface ConfigSources {
  /** From the command line; undefined where not given. */
  flags?: Partial<Record<SettingName, unknown>>
  env?: Readonly<Record<string, string | undefined>>
  /** Path of a TOML file. */
  file?: string | undefined
}

/** A setting has a value that the server cannot start with. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Flags win over the environment (`STITHY_<NAME>`), which wins over the file (`name = value`).
 * @throws ConfigError with a sentence that names the setting and where it was read.
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
  'database_url',
])

function sentence(
  error: z.ZodError,
  values: Record<string, unknown>,
  origins: Map<string, string>,
): string {
  const [issue] = error.issues
  const name = String(issue?.path[0] ?? '')
  const shown = secretSettings.has(name) ? 'what it is' : JSON.stringify(values[name])
  return `${origins.get(name) ?? name} cannot be ${shown}: ${issue?.message ?? 'it is invalid'}`
}

function toConfig(settings: z.output<typeof Settings>): Config {
  const data = resolve(settings.data)
  const fallbackUrl = `http://${urlHost(settings.host)}:${settings.port}`
  return {
    host: settings.host,
    port: settings.port,
    data,
    externalUrl: (settings.external_url ?? fallbackUrl).replace(/\/+$/, ''),
    databaseUrl: settings.database_url,
    tier: settings.tier,
    defaultBranch: settings.default_branch,
    rateLimitAnonymous: settings.rate_limit_anonymous,
    receiveMaxInputSize: settings.receive_max_input_size,
    trustProxy: settings.trust_proxy,
    allowLocalHooks: settings.allow_local_requests_from_hooks_and_services,
    webhookTimeoutMs: settings.webhook_timeout * 1000,
    logLevel: settings.log_level,
    rootPassword: settings.root_password,
    rootToken: settings.root_token,
    repositoryStorages: { default: join(data, 'repositories') },
    codeLimits: standardCodeLimits,
    passwordCost: 'standard',
  }
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Whether a feature of `needed` is there; every tier holds those below it. */
export function tierAllows(tier: Tier, needed: 'premium' | 'ultimate'): boolean {
  return tiers.indexOf(tier) >= tiers.indexOf(needed)
}
