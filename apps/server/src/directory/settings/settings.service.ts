import {
  type BodyOf,
  maskedSecret,
  type SettingName,
  type Settings,
  settingAliases,
  settingNames,
  settingOf,
  type settingsContract,
  settingsErrors,
  shownSetting,
  validationFailed,
} from '@stithy/core'
import { raiseSettingsVersion, readSettings, writeSetting } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { changeByCaller } from '../../platform/changes/change-by-caller.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { decodeSettings, encodeSetting } from '../../platform/settings/settings-cache.ts'
import { loadGroup } from '../groups/group-subject.ts'

type Body = BodyOf<typeof settingsContract.update>

/**
 * Changes instance settings; this server follows them at once, others within a second.
 * @throws DomainError `validation_failed`
 */
export async function changeSettings(app: App, caller: Caller, body: Body): Promise<void> {
  const requested = await requestedSettings(app, caller, body)
  const now = app.now()
  await app.db.transaction(async (tx) => {
    await raiseSettingsVersion(tx)
    const { rows } = await readSettings(tx)
    const before = decodeSettings(app.secrets, rows, app.log)
    const after = { ...before, ...requested }
    const names = Object.keys(requested) as SettingName[]
    const errors = settingsErrors(after, new Set(names))
    if (errors !== undefined) throw validationFailed(errors)
    const changed = names.filter((name) => !isSame(before[name], after[name]))
    for (const key of changed) {
      const value = encodeSetting(app.secrets, key, after[key])
      await writeSetting(tx, { key, value, updatedAt: now })
    }
    if (changed.length === 0) return
    const changes = changed.map((name) => ({
      name,
      from: recordedValue(name, before[name]),
      to: recordedValue(name, after[name]),
    }))
    await recordChange(tx, { kind: 'settings.updated', ...changeByCaller(now), changes })
  })
  await app.settingsCache.refresh()
}

/** The settings that a request names, by whichever name. */
async function requestedSettings(app: App, caller: Caller, body: Body): Promise<Partial<Settings>> {
  const values = body as Readonly<Record<string, unknown>>
  const named = settingNames
    .filter((name) => values[name] !== undefined && !isMask(app.settings, name, values[name]))
    .map((name) => [name, values[name]])
  const aliased = Object.entries(settingAliases)
    .filter(([alias]) => values[alias] !== undefined)
    .map(([alias, name]) => [name, values[alias]])
  return { ...Object.fromEntries([...named, ...aliased]), ...(await groupOf(app, caller, body)) }
}

/** Characters of a value that are recorded. */
const maxRecorded = 255

/** The value of a setting as the record of a change has it: JSON, without secrets. */
function recordedValue(name: SettingName, value: unknown): string | null {
  if (value === null) return null
  const shown = shownSetting(name, value)
  return (typeof shown === 'string' ? shown : JSON.stringify(shown))
    .slice(0, maxRecorded)
    .toWellFormed()
}

/** A client that sends back what it has read leaves the secrets as they are. */
function isMask(current: Readonly<Settings>, name: SettingName, value: unknown): boolean {
  if (settingOf(name).secret !== true) return false
  return value === maskedSecret || (value !== null && value === shownSetting(name, current[name]))
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The group that sees the performance bar, by its path or id. */
async function groupOf(app: App, caller: Caller, body: Body): Promise<Partial<Settings>> {
  const { performance_bar_allowed_group_path: path, performance_bar_allowed_group_id: id } = body
  const ref = path === undefined ? id : path
  if (body.performance_bar_enabled === false || ref === null) {
    return { performance_bar_allowed_group_id: null }
  }
  const current = app.settings.performance_bar_allowed_group_id
  if (ref === undefined || ref === String(current)) return {}
  const group = await loadGroup(app, ref, caller)
  if (group === undefined) {
    throw validationFailed({ performance_bar_allowed_group_id: ['is not a group'] })
  }
  return { performance_bar_allowed_group_id: group.row.id }
}
