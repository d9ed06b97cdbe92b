import type { PipelineSource, PipelineState } from '@stithy/core'
import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** A pipeline of one commit on one ref. */
export interface PipelinesTable {
  id: Generated<number>
  projectId: number
  /** Short name of a branch or tag. */
  ref: string
  sha: string
  /** The previous commit of the ref; null if unknown. */
  beforeSha: string | null
  tag: Flag
  source: PipelineSource
  status: PipelineState
  userId: number | null
  createdAt: number
  updatedAt: number
  startedAt: number | null
  finishedAt: number | null
  /** Whole seconds during which a job was running. */
  duration: number | null
}

/** Jobs, and externally reported statuses: they share their ids and their lists. */
export interface CommitStatusesTable {
  id: Generated<number>
  projectId: number
  pipelineId: number
  kind: 'external' | 'job'
  /** That of the pipeline. */
  sha: string
  ref: string
  name: string
  stage: string
  stageIndex: number
  status: PipelineState
  /** Replaced by a newer one with its name in the pipeline. */
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
