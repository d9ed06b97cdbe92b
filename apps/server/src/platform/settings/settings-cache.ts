import {
  initialSettings,
  type SettingName,
  type Settings,
  settingNames,
  settingOf,
} from '@stithy/core'
import {
  findInstanceCreation,
  findSettingsVersion,
  fromJsonText,
  jsonText,
  type Queries,
  readSettings,
  type SettingRow,
} from '@stithy/store'
import type { Logger } from 'pino'
import type { App } from '../app.ts'
import type { SecretBox } from '../secrets/secret-box.ts'

/** The instance settings as of a version. */
export interface SettingsCache {
  /** The values of `app.settings`; the same object for ever, whose members change all at once. */
  readonly values: Readonly<Settings>
  /** Raised by every change of the settings. */
  readonly version: number
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly updatedAt: number
  /** When the terms of service were written; undefined if there never were any. */
  readonly termsVersion: number | undefined
  /** Reads the settings if they have changed. */
  refresh(): Promise<void>
}

declare module '../app.ts' {
  interface App {
    /** The instance settings, secrets in plain text: never log them. */
    settings: Readonly<Settings>
    settingsCache: SettingsCache
  }
}

/** How often servers look whether another one has changed the settings, in milliseconds. */
const refreshIntervalMs = 1000

/** Reads the instance settings. */
export async function loadSettings(
  db: Queries,
  secrets: SecretBox,
  log: Logger,
): Promise<SettingsCache> {
  const values: Settings = { ...initialSettings }
  const createdAt = await findInstanceCreation(db)
  const times = { createdAt, updatedAt: createdAt, termsVersion: undefined as number | undefined }
  const cache = { values, version: -1, ...times, refresh }
  async function refresh(): Promise<void> {
    if ((await findSettingsVersion(db)) === cache.version) return
    const { version, rows } = await readSettings(db)
    // A refresh that began later may have ended earlier.
    if (version < cache.version) return
    Object.assign(values, decodeSettings(secrets, rows, log))
    cache.version = version
    cache.termsVersion = rows.find(({ key }) => key === 'terms')?.updatedAt
    cache.updatedAt = rows.reduce((latest, row) => Math.max(latest, row.updatedAt), createdAt)
  }
  await refresh()
  return cache
}

/**
 * Keeps the settings up to date with the other servers of a cluster: one look-up a second. Returns
 * what ends it.
 */
export function watchSettings({ settingsCache, log }: App): () => void {
  let isBusy = false
  const timer = setInterval(async () => {
    if (isBusy) return
    isBusy = true
    try {
      await settingsCache.refresh()
    } catch (error) {
      log.warn({ err: error }, 'the settings could not be read')
    } finally {
      isBusy = false
    }
  }, refreshIntervalMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** The value of every setting: what is stored, or else the initial one. */
export function decodeSettings(
  secrets: SecretBox,
  rows: readonly SettingRow[],
  log: Logger,
): Settings {
  const stored = new Map(rows.map(({ key, value }) => [key, value]))
  const entries = settingNames.map((name) => {
    const text = stored.get(name)
    return [name, text === undefined ? settingOf(name).initial : decode(secrets, name, text, log)]
  })
  return Object.fromEntries(entries) as Settings
}

/** A value that this version does not know counts as never set. */
function decode(secrets: SecretBox, name: SettingName, text: string, log: Logger): unknown {
  const { schema, initial, secret } = settingOf(name)
  const value = fromJsonText<unknown>(text)
  if (secret && typeof value === 'string') {
    const opened = secrets.open(value, purposeOf(name))
    if (opened === undefined)
      log.error({ setting: name }, 'a secret was encrypted with another key')
    return opened ?? null
  }
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : initial
}

/** A value as it is stored. */
export function encodeSetting(secrets: SecretBox, name: SettingName, value: unknown): string {
  const isSecret = settingOf(name).secret === true && typeof value === 'string'
  return jsonText(isSecret ? secrets.seal(value, purposeOf(name)) : value)
}

function purposeOf(name: SettingName): string {
  return `setting ${name}`
}
