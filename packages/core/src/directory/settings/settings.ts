import { accessSettings } from './access-settings.ts'
import { contentSettings } from './content-settings.ts'
import { interfaceSettings } from './interface-settings.ts'
import { maskedSecret } from './masked-secret.ts'
import { serviceSettings } from './service-settings.ts'
import type { Setting, SettingValue } from './setting.ts'

/**
 * The instance settings (`GET` and `PUT /application/settings`): the one place that names them, from
 * which validation, storage, responses and documentation follow.
 */
export const settings = {
  ...accessSettings,
  ...contentSettings,
  ...serviceSettings,
  ...interfaceSettings,
} as const

/** The settings by what they are about, as pages show them. */
export const settingAreas = [
  { id: 'access', title: 'Accounts and access', names: namesOf(accessSettings) },
  { id: 'content', title: 'Projects and repositories', names: namesOf(contentSettings) },
  { id: 'services', title: 'Other services', names: namesOf(serviceSettings) },
  { id: 'pages', title: 'Pages', names: namesOf(interfaceSettings) },
] as const

export type SettingName = keyof typeof settings

/** The values of all settings. */
export type Settings = { -readonly [Name in SettingName]: SettingValue<(typeof settings)[Name]> }

export const settingNames = Object.keys(settings) as SettingName[]

/** The values of a new instance. */
export const initialSettings = Object.fromEntries(
  settingNames.map((name) => [name, settings[name].initial]),
) as unknown as Settings

/** Names by which v4 clients know a setting as well. */
export const settingAliases = {
  signin_enabled: 'password_authentication_enabled_for_web',
  password_authentication_enabled: 'password_authentication_enabled_for_web',
} as const satisfies Record<string, SettingName>

/** A setting without its type. */
export function settingOf(name: SettingName): Setting {
  return settings[name] as unknown as Setting
}

/** The value of a setting as it is shown: without a secret. */
export function shownSetting(name: SettingName, value: unknown): unknown {
  const { secret, withoutSecret } = settingOf(name)
  if (!secret || value === null) return value
  return typeof value === 'string' && withoutSecret ? withoutSecret(value) : maskedSecret
}

function namesOf<T extends object>(table: T): (keyof T & SettingName)[] {
  return Object.keys(table) as (keyof T & SettingName)[]
}
