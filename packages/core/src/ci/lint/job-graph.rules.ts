import {
  asList,
  type ConfigMap,
  firstError,
  isMap,
  isString,
  quoted,
  someOf,
  valueAt,
} from './config-values.rules.ts'

/** The visible jobs of a configuration whose keys are valid. */
export interface JobGraph {
  jobs: ReadonlyMap<string, ConfigMap>
  stages: readonly string[]
  /** Whether included files may have stages and jobs that are not there. */
  isOpen: boolean
}

const defaultStage = 'test'

interface Staged extends JobGraph {
  stageIndex: ReadonlyMap<string, number>
}

/** Checks what jobs say of each other: stages, dependencies, needs and environments. */
export function jobGraphError(graph: JobGraph): string | undefined {
  const stageIndex = new Map(graph.stages.map((stage, index) => [stage, index]))
  const staged = { ...graph, stageIndex }
  for (const [name, job] of graph.jobs) {
    const error =
      stageError(name, job, staged) ??
      dependenciesError(name, job, staged) ??
      needsError(name, job, staged) ??
      environmentError(name, job, staged)
    if (error !== undefined) return error
  }
  return cycleError(graph)
}

function stageOf(job: ConfigMap): string {
  const stage = valueAt(job, 'stage') ?? valueAt(job, 'type')
  return isString(stage) ? stage : defaultStage
}

function stageError(name: string, job: ConfigMap, staged: Staged): string | undefined {
  const stage = stageOf(job)
  if (staged.stageIndex.has(stage) || staged.isOpen) return undefined
  const stages = quoted(staged.stages.slice(0, 100).map(quoted).join(', '))
  return `${quoted(name)} job: chosen stage ${quoted(stage)} does not exist; available stages are ${stages}`
}

/** Whether one job runs in a later stage than another. */
function isLater(other: ConfigMap, job: ConfigMap, { stageIndex }: Staged): boolean {
  const [of, than] = [stageIndex.get(stageOf(other)), stageIndex.get(stageOf(job))]
  return of !== undefined && than !== undefined && of > than
}

function dependenciesError(name: string, job: ConfigMap, staged: Staged): string | undefined {
  const needed = new Set(neededBy(job).map(({ name: other }) => other))
  const hasNeeds = valueAt(job, 'needs') !== undefined
  return firstError(
    asList(valueAt(job, 'dependencies')).map((dependency) => {
      if (!isString(dependency)) return undefined
      const other = staged.jobs.get(dependency)
      const at = `${quoted(name)} job:`
      if (other === undefined) {
        return staged.isOpen ? undefined : `${at} undefined dependency: ${quoted(dependency)}`
      }
      if (isLater(other, job, staged)) {
        return `${at} dependency ${quoted(dependency)} is not defined in current or prior stages`
      }
      if (!hasNeeds || needed.has(dependency)) return undefined
      return `jobs:${quoted(name)} dependencies the ${quoted(dependency)} should be part of needs`
    }),
  )
}

interface Need {
  name: string
  optional: boolean
}

/** The jobs of the same configuration that a job needs. */
function neededBy(job: ConfigMap): Need[] {
  return asList(valueAt(job, 'needs')).flatMap((need) => {
    if (isString(need)) return [{ name: need, optional: false }]
    if (!isMap(need) || !isString(need.job) || isString(need.project)) return []
    if (isString(need.pipeline)) return []
    return [{ name: need.job, optional: need.optional === true }]
  })
}

function needsError(name: string, job: ConfigMap, staged: Staged): string | undefined {
  const at = `${quoted(name)} job:`
  return firstError(
    neededBy(job).map((need) => {
      const other = staged.jobs.get(need.name)
      if (other === undefined) {
        if (staged.isOpen || need.optional) return undefined
        return `${at} undefined need: ${quoted(need.name)}`
      }
      if (!isLater(other, job, staged)) return undefined
      return `${at} need ${quoted(need.name)} is not defined in current or prior stages`
    }),
  )
}

function environmentError(name: string, job: ConfigMap, staged: Staged): string | undefined {
  const environment = valueAt(job, 'environment')
  const stopName = isMap(environment) ? environment.on_stop : undefined
  if (!isMap(environment) || !isString(stopName)) return undefined
  const at = `${quoted(name)} job: on_stop job ${quoted(stopName)}`
  const stop = staged.jobs.get(stopName)
  if (stop === undefined) return staged.isOpen ? undefined : `${at} is not defined`
  const stopped = valueAt(stop, 'environment')
  if (stopped === undefined || stopped === null) return `${at} does not have environment defined`
  const stoppedName = isMap(stopped) ? stopped.name : stopped
  if (stoppedName !== environment.name) return `${at} have different environment name`
  if (isMap(stopped) && stopped.action === 'stop') return undefined
  return `${at} needs to have action stop defined`
}

/** Finds jobs that need each other, by removing those whose needs are all removed. */
function cycleError({ jobs }: JobGraph): string | undefined {
  const waiting = new Map<string, number>()
  const neededIn = new Map<string, string[]>()
  for (const [name, job] of jobs) {
    const needs = new Set(neededBy(job).flatMap((need) => (jobs.has(need.name) ? need.name : [])))
    waiting.set(name, needs.size)
    for (const need of needs) {
      const list = neededIn.get(need) ?? []
      list.push(name)
      neededIn.set(need, list)
    }
  }
  const free = [...waiting].flatMap(([name, count]) => (count === 0 ? [name] : []))
  for (let name = free.pop(); name !== undefined; name = free.pop()) {
    waiting.delete(name)
    for (const next of neededIn.get(name) ?? []) {
      const count = (waiting.get(next) ?? 0) - 1
      waiting.set(next, count)
      if (count === 0) free.push(next)
    }
  }
  if (waiting.size === 0) return undefined
  return `The pipeline has circular dependencies: ${someOf([...waiting.keys()])}`
}
