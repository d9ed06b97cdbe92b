import type { PipelineSource, PipelineState } from '@stithy/core'
import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** What was checked of one commit on one ref. */
export interface PipelinesTable {
  id: Generated<number>
  projectId: number
  /** Short name of a branch or tag. */
  ref: string
  sha: string
  /** Where the ref was before; null where that is unknown. */
  beforeSha: string | null
  tag: Flag
  source: PipelineSource
  status: PipelineState
  userId: number | null
  createdAt: number
  updatedAt: number
  startedAt: number | null
  finishedAt: number | null
  /** Whole seconds in which something ran. */
  duration: number | null
}

/** Jobs, and statuses that others report: they share their ids and their lists. */
export interface CommitStatusesTable {
  id: Generated<number>
  projectId: number
  pipelineId: number
  kind: 'external' | 'job'
  /** Those of the pipeline. */
  sha: string
  ref: string
  name: string
  stage: string
  stageIndex: number
  status: PipelineState
  /** A newer one of its name in the pipeline took its place. */
  retried: Generated<Flag>
  allowFailure: Generated<Flag>
  targetUrl: string | null
  description: string | null
  coverage: number | null
  failureReason: string | null
  userId: number | null
  createdAt: number
  updatedAt: number
  startedAt: number | null
  finishedAt: number | null
}
