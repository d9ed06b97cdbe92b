import {
  type ApplicationSettings,
  settingAliases,
  settingNames,
  settingOf,
  shownSetting,
} from '@stithy/core'
import type { App } from '../../platform/app.ts'
import { type Tier, tierAllows } from '../../platform/config/config.ts'
import { keepJson } from '../../platform/http/kept-json.ts'
import { timestampText } from '../../platform/http/timestamp.ts'
import type { SettingsCache } from '../../platform/settings/settings-cache.ts'

const presented = new WeakMap<SettingsCache, { version: number; body: ApplicationSettings }>()

/** Presents the settings: without secrets, and without those of tiers that the server lacks. */
export function presentSettings({ settingsCache, config }: App): ApplicationSettings {
  const { version } = settingsCache
  const latest = presented.get(settingsCache)
  if (latest?.version === version) return latest.body
  const body = keepJson(toBody(settingsCache, config.tier))
  presented.set(settingsCache, { version, body })
  return body
}

function toBody({ values, createdAt, updatedAt }: SettingsCache, tier: Tier): ApplicationSettings {
  const available = settingNames.filter((name) => {
    const needed = settingOf(name).tier
    return needed === undefined || tierAllows(tier, needed)
  })
  const aliases = Object.entries(settingAliases)
  return {
    id: 1,
    created_at: timestampText(createdAt),
    updated_at: timestampText(updatedAt),
    ...Object.fromEntries(available.map((name) => [name, shownSetting(name, values[name])])),
    ...Object.fromEntries(aliases.map(([alias, name]) => [alias, values[name]])),
  } as unknown as ApplicationSettings
}
