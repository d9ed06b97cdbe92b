import { maxConfigurationValues, maxExtendsDepth } from './ci-limits.rules.ts'
import { asList, type ConfigMap, isMap, isString, quoted, valueAt } from './config-values.rules.ts'

/** Jobs and their templates with what they extend, or the first error. */
export type Extended = { jobs: ReadonlyMap<string, unknown> } | { error: string }

/**
 * Merges into each job what it extends; mappings are merged, and other values replaced.
 * @param isOpen whether included files may have jobs that are not there
 */
export function resolveExtends(jobs: ReadonlyMap<string, unknown>, isOpen: boolean): Extended {
  const depths = new Map<string, number>()
  const merged = new Map<string, unknown>()
  const state = { jobs, isOpen, depths, merged, room: maxConfigurationValues }
  for (const name of jobs.keys()) {
    const error = resolve(name, state)
    if (error !== undefined) return { error }
  }
  return { jobs: merged }
}

interface Resolution {
  jobs: ReadonlyMap<string, unknown>
  isOpen: boolean
  /** Levels that each resolved job extends. */
  depths: Map<string, number>
  merged: Map<string, unknown>
  /** Values that may still be copied. */
  room: number
}

function basesOf(job: unknown): string[] {
  return isMap(job) ? asList(valueAt(job, 'extends')).filter(isString) : []
}

/** A job whose bases are being resolved, in their order. */
interface Frame {
  name: string
  bases: readonly string[]
  next: number
}

/** Resolves a job after those that it extends, of which few are on the way at a time. */
function resolve(first: string, state: Resolution): string | undefined {
  if (state.merged.has(first)) return undefined
  const frameOf = (name: string): Frame => ({ name, bases: basesOf(state.jobs.get(name)), next: 0 })
  const path = [frameOf(first)]
  for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
    const { name, bases } = frame
    const base = bases[frame.next]
    frame.next += 1
    if (base === undefined) {
      const error = settle(name, bases, state)
      if (error !== undefined) return error
      path.pop()
    } else if (!state.jobs.has(base)) {
      const missing = `${quoted(name)}: unknown keys in \`extends\` (${quoted(base)})`
      if (!state.isOpen) return missing
    } else if (path.some((active) => active.name === base)) {
      return `${quoted(base)}: circular dependency detected in \`extends\``
    } else if (path.length > maxExtendsDepth) {
      return nestingError(first)
    } else if (!state.merged.has(base)) path.push(frameOf(base))
  }
  return undefined
}

function nestingError(name: string): string {
  return `${quoted(name)}: nesting too deep in \`extends\``
}

/** Merges a job whose bases are resolved. */
function settle(name: string, bases: readonly string[], state: Resolution): string | undefined {
  const depth = bases.reduce((most, base) => Math.max(most, (state.depths.get(base) ?? 0) + 1), 0)
  if (depth > maxExtendsDepth) return nestingError(name)
  const job = state.jobs.get(name)
  let result: unknown = job
  if (bases.length > 0 && isMap(job)) {
    let map: ConfigMap = {}
    for (const value of [...bases.map((base) => state.merged.get(base)), job]) {
      if (isMap(value)) map = merge(map, value, state)
      if (state.room < 0) return 'The parsed YAML is too big'
    }
    result = map
  }
  state.depths.set(name, depth)
  state.merged.set(name, result)
  return undefined
}

/** Merges two mappings, on all levels: of a bounded number, since YAML that is too deep is refused. */
function merge(under: ConfigMap, over: ConfigMap, state: Resolution): ConfigMap {
  state.room -= Object.keys(under).length + Object.keys(over).length
  const result = new Map(state.room < 0 ? [] : Object.entries(under))
  if (state.room >= 0) {
    for (const [key, value] of Object.entries(over)) {
      const old = result.get(key)
      result.set(key, isMap(old) && isMap(value) ? merge(old, value, state) : value)
    }
  }
  return Object.fromEntries(result)
}
