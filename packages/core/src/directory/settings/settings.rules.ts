import type { FieldErrors } from '../../platform/errors.ts'
import { type SettingName, type Settings, settingNames, settingOf } from './settings.ts'

/**
 * What is wrong with the instance settings after a change, by setting; undefined if nothing is.
 * @param changed the settings that have a new value
 */
export function settingsErrors(
  after: Settings,
  changed: ReadonlySet<SettingName>,
): FieldErrors | undefined {
  const errors: FieldErrors = {}
  const add = (name: string, text: string) => {
    errors[name] = [...(errors[name] ?? []), text]
  }
  for (const name of changed) {
    const value = after[name]
    const problem = isBlank(value) ? undefined : settingOf(name).problem?.(value)
    if (problem !== undefined) add(name, problem)
  }
  for (const name of missingSettings(after)) add(name, "can't be blank")
  for (const [name, text] of orderProblems(after)) add(name, text)
  if (keyRestrictions.every((name) => after[name] === -1)) {
    add('allowed_key_types', "can't be blank")
  }
  return Object.keys(errors).length === 0 ? undefined : errors
}

/** The settings that a flag which is on, or a text which is set, needs and that are blank. */
function missingSettings(after: Settings): Set<SettingName> {
  const needed = settingNames.flatMap((name) => {
    const isOn = after[name] !== false && !isBlank(after[name])
    return isOn ? ((settingOf(name).needs ?? []) as SettingName[]) : []
  })
  return new Set(needed.filter((name) => isBlank(after[name])))
}

function isBlank(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

type NumberName = {
  [Name in SettingName]: Settings[Name] extends number ? Name : never
}[SettingName]

/** Pairs of settings of which the first may not be smaller than the second. */
const periods: readonly [NumberName, NumberName][] = [
  ['housekeeping_full_repack_period', 'housekeeping_incremental_repack_period'],
  ['housekeeping_gc_period', 'housekeeping_full_repack_period'],
]

/** The same for time limits, of which 0 is none at all. */
const timeouts: readonly [NumberName, NumberName][] = [
  ['gitstore_timeout_medium', 'gitstore_timeout_fast'],
  ['gitstore_timeout_default', 'gitstore_timeout_medium'],
]

function orderProblems(after: Settings): [SettingName, string][] {
  const limit = (name: NumberName) => after[name] || Number.POSITIVE_INFINITY
  return [
    ...periods.filter(([larger, smaller]) => after[larger] < after[smaller]),
    ...timeouts.filter(([larger, smaller]) => limit(larger) < limit(smaller)),
  ].map(([larger, smaller]) => [larger, `must be greater than or equal to ${smaller}`])
}

const keyRestrictions = [
  'rsa_key_restriction',
  'dsa_key_restriction',
  'ecdsa_key_restriction',
  'ed25519_key_restriction',
] as const
