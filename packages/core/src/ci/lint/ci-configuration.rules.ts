import {
  aHash,
  aString,
  hashOf,
  type KeyChecks,
  nameError,
  strings,
  variables,
} from './config-checks.rules.ts'
import {
  type Check,
  type ConfigMap,
  firstError,
  isMap,
  isString,
  isStringList,
  quoted,
  sizeError,
  unknownKeysError,
  valueAt,
} from './config-values.rules.ts'
import { resolveExtends } from './extends.rules.ts'
import { includes } from './includes.rules.ts'
import { jobGraphError } from './job-graph.rules.ts'
import { defaultKeys, jobKeys, rules } from './job-keys.rules.ts'

const defaultStages = ['build', 'test', 'deploy']

const { image, services, before_script, after_script, cache } = defaultKeys

/** The keys besides jobs. */
const globalKeys: KeyChecks = {
  include: includes,
  default: hashOf(defaultKeys),
  ...{ image, services, before_script, after_script, cache },
  stages: strings,
  types: strings,
  variables,
  workflow: hashOf({ name: aString, rules, auto_cancel: aHash }),
}

const knownJobKeys = new Set(Object.keys(jobKeys))

/**
 * The first error of a CI configuration, in the words that v4 clients know; undefined if it is
 * valid. What included files may define is not missed.
 * @param value of the YAML, with its aliases and merge keys resolved
 */
export function ciConfigurationError(value: unknown): string | undefined {
  if (!isMap(value)) return 'Invalid configuration format'
  const tooBig = sizeError(value)
  if (tooBig !== undefined) return tooBig
  const entries = Object.entries(value)
  const isOpen = value.include !== undefined && value.include !== null
  const jobs = new Map(entries.filter(([key]) => !Object.hasOwn(globalKeys, key)))
  const tooLong = firstError([...jobs.keys()].map(nameError))
  if (tooLong !== undefined) return tooLong
  const extended = resolveExtends(jobs, isOpen)
  if ('error' in extended) return extended.error
  const resolved = sizeError(Object.fromEntries(extended.jobs))
  return resolved ?? globalError(value) ?? jobsError(value, extended.jobs, isOpen)
}

function globalError(config: ConfigMap): string | undefined {
  return firstError(
    Object.entries(globalKeys).map(([key, check]) => {
      const value = valueAt(config, key)
      return value === undefined || value === null ? undefined : check(value, key)
    }),
  )
}

function jobsError(
  config: ConfigMap,
  all: ReadonlyMap<string, unknown>,
  isOpen: boolean,
): string | undefined {
  const visible = [...all].filter(([name]) => !name.startsWith('.'))
  if (visible.length === 0 && !isOpen) {
    return 'jobs config should contain at least one visible job'
  }
  const jobs = new Map<string, ConfigMap>()
  for (const [name, job] of visible) {
    const error = jobError(name, job, isOpen)
    if (error !== undefined) return error
    if (isMap(job)) jobs.set(name, job)
  }
  const own = valueAt(config, 'stages') ?? valueAt(config, 'types')
  const named = isStringList(own) ? own : defaultStages
  return jobGraphError({ jobs, stages: ['.pre', ...named, '.post'], isOpen })
}

function jobError(name: string, job: unknown, isOpen: boolean): string | undefined {
  const at = `jobs:${quoted(name)}`
  if (name.trim() === '') return "jobs name can't be blank"
  if (job !== null && !isMap(job)) return `${at} config should be a hash`
  const map = job ?? {}
  const has = (key: string) => valueAt(map, key) !== undefined && valueAt(map, key) !== null
  const implemented = has('script') || has('trigger') || has('run') || isOpen
  if (!implemented) return `${at} config should implement a script: or a trigger: keyword`
  return (
    unknownKeysError(map, knownJobKeys, `${at} config`) ??
    firstError(Object.entries(map).map(([key, value]) => keyError(key, value, at))) ??
    exclusionError(has, at) ??
    delayError(map, at)
  )
}

function keyError(key: string, value: unknown, at: string): string | undefined {
  if (value === null) return undefined
  const check: Check | undefined = Object.hasOwn(jobKeys, key) ? jobKeys[key] : undefined
  return check?.(value, `${at}:${key}`)
}

function exclusionError(has: (key: string) => boolean, at: string): string | undefined {
  const pairs = [
    ['trigger', ['script']],
    ['rules', ['only', 'except']],
  ] as const
  return firstError(
    pairs.map(([key, others]) => {
      const both = has(key) ? others.filter(has) : []
      if (both.length === 0) return undefined
      return `${at} config key may not be used with \`${key}\`: ${both.join(', ')}`
    }),
  )
}

function delayError(job: ConfigMap, at: string): string | undefined {
  const delayed = valueAt(job, 'when') === 'delayed'
  const start = valueAt(job, 'start_in')
  if (delayed && !isString(start)) return `${at} start in should be a duration`
  if (!delayed && isString(start)) return `${at} start in must be blank`
  return undefined
}
