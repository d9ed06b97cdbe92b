/** States of pipelines, stages and jobs (catalogue: ci, 2). */
export const pipelineStates = [
  'created',
  'preparing',
  'pending',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
  'manual',
  'scheduled',
] as const
export type PipelineState = (typeof pipelineStates)[number]

/** How a pipeline came about (catalogue: ci, 3). */
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

/** What a stage or a pipeline is composed of: the newest job or status of each name. */
export interface PipelinePart {
  status: PipelineState
  allowFailure: boolean
}

const over: ReadonlySet<PipelineState> = new Set(['success', 'failed', 'canceled', 'skipped'])

/** Whether nothing more happens by itself: what comes next is a new job or status. */
export function isOver(status: PipelineState): boolean {
  return over.has(status)
}

/**
 * The status of a stage or pipeline: the first rule that fits (catalogue: ci, 2). Nothing at all is
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

/** A failure that is allowed counts as a success, a manual job that nobody must start as skipped. */
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
 * Whole seconds in which at least one of the jobs ran; null where none has begun. What runs side by side
 * counts once, waiting in between does not.
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

/** What is kept of a pipeline's life; instants in milliseconds since the epoch, `duration` in seconds. */
export interface PipelineLife extends RunningTime {
  status: PipelineState
  duration: number | null
}

/** The life of a pipeline after its parts changed. */
export function pipelineLife(
  before: RunningTime,
  parts: readonly (PipelinePart & RunningTime)[],
  now: number,
): PipelineLife {
  const status = composeStatus(parts)
  const started = parts.some((part) => part.startedAt !== null)
  return {
    status,
    startedAt: before.startedAt ?? (started ? now : null),
    finishedAt: isOver(status) ? now : null,
    duration: isOver(status) ? runningSeconds(parts, now) : null,
  }
}
