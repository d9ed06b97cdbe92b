import type { PipelineState } from '../../code/commits/pipeline-states.ts'

/** What triggered a pipeline. */
export type PipelineSource =
  | 'push'
  | 'web'
  | 'trigger'
  | 'schedule'
  | 'api'
  | 'external'
  | 'pipeline'
  | 'chat'
  | 'merge_request_event'

/** A part of a stage or pipeline: the newest job or status of each name. */
export interface PipelinePart {
  status: PipelineState
  allowFailure: boolean
}

const over: ReadonlySet<PipelineState> = new Set(['success', 'failed', 'canceled', 'skipped'])

/** Whether the status is final: only a new job or status can change it. */
export function isFinished(status: PipelineState): boolean {
  return over.has(status)
}

/**
 * The status of a stage or pipeline: the first rule that matches its parts. Without parts, it is
 * `skipped`.
 */
export function composeStatus(parts: readonly PipelinePart[]): PipelineState {
  const found = new Set(parts.map(effectiveState))
  const consistsOf = (...states: PipelineState[]) => [...found].every((one) => states.includes(one))
  if (consistsOf('skipped')) return 'skipped'
  if (consistsOf('success', 'skipped')) return 'success'
  if (consistsOf('created')) return 'created'
  if (consistsOf('preparing')) return 'preparing'
  if (consistsOf('success', 'skipped', 'canceled')) return 'canceled'
  if (consistsOf('created', 'skipped', 'pending') && found.has('pending')) return 'pending'
  if (found.has('running') || found.has('pending')) return 'running'
  if (found.has('manual')) return 'manual'
  if (found.has('scheduled')) return 'scheduled'
  if (found.has('preparing')) return 'preparing'
  return found.has('created') ? 'running' : 'failed'
}

/** An allowed failure counts as a success, an optional manual job as skipped. */
function effectiveState({ status, allowFailure }: PipelinePart): PipelineState {
  if (allowFailure && status === 'failed') return 'success'
  return allowFailure && status === 'manual' ? 'skipped' : status
}

/** When a job ran, in milliseconds since the epoch; `finishedAt` is null while it runs. */
export interface RunningTime {
  startedAt: number | null
  finishedAt: number | null
}

/**
 * Whole seconds in which at least one of the jobs ran; null when none has started. Concurrent jobs
 * count once, the time between jobs does not count.
 */
export function runningSeconds(times: readonly RunningTime[], now: number): number | null {
  const periods = times
    .flatMap(({ startedAt, finishedAt }) =>
      startedAt === null ? [] : [{ from: startedAt, to: Math.max(startedAt, finishedAt ?? now) }],
    )
    .sort((a, b) => a.from - b.from)
  if (periods.length === 0) return null
  let total = 0
  let end = Number.NEGATIVE_INFINITY
  for (const { from, to } of periods) {
    total += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return Math.floor(total / 1000)
}

/**
 * Stored times of a pipeline; timestamps in milliseconds since the epoch, `duration` in seconds.
 */
export interface PipelineLifecycle extends RunningTime {
  status: PipelineState
  duration: number | null
}

/** Computes the times of a pipeline after its parts have changed. */
export function pipelineLifecycle(
  before: RunningTime,
  parts: readonly (PipelinePart & RunningTime)[],
  now: number,
): PipelineLifecycle {
  const status = composeStatus(parts)
  const started = parts.some((part) => part.startedAt !== null)
  return {
    status,
    startedAt: before.startedAt ?? (started ? now : null),
    finishedAt: isFinished(status) ? now : null,
    duration: isFinished(status) ? runningSeconds(parts, now) : null,
  }
}

/** The words for a state where they differ from its name. */
const words: Partial<Record<PipelineState, { text: string; label: string }>> = {
  success: { text: 'passed', label: 'passed' },
  manual: { text: 'manual', label: 'manual action' },
  scheduled: { text: 'delayed', label: 'delayed' },
}

/** The words that clients show for a state: `passed` for `success`. */
export function statusWords(status: PipelineState): { text: string; label: string } {
  return words[status] ?? { text: status, label: status }
}

/** The mean coverage of the parts in percent, as text: `30.0`; null if none has one. */
export function meanCoverage(parts: readonly { coverage: number | null }[]): string | null {
  const known = parts.flatMap(({ coverage }) => coverage ?? [])
  if (known.length === 0) return null
  const mean = known.reduce((sum, coverage) => sum + coverage, 0) / known.length
  const rounded = Math.round(mean * 100) / 100
  return Number.isInteger(rounded) ? `${rounded}.0` : String(rounded)
}
