import type { PipelineState } from '@stithy/core'
import type { MemberSource } from '@stithy/store'

/** A mail to who decides about a request for access. */
export interface AccessRequestPayload {
  source: MemberSource
  /** Who asks. */
  actorId: number
}

/** A mail to a new member. */
export interface MemberPayload {
  source: MemberSource
  /** Who added them. */
  actorId: number | null
}

/** A mail to who started a pipeline. */
export interface PipelinePayload {
  projectId: number
  pipelineId: number
  ref: string
  sha: string
  status: Extract<PipelineState, 'failed' | 'success'>
}

/** A mail to the members of a project that has another namespace. */
export interface MovedPayload {
  projectId: number
  actorId: number | null
}

/** The kinds of these mails. */
export const accessRequestKind = 'access_requested'
export const memberKind = 'member_added'
export const pipelineKind = 'pipeline_finished'
export const movedKind = 'project_moved'

/** Kinds of the jobs that find recipients. */
export const requestAccessNotifyKind = 'notifications.access_requested'
export const movedNotifyKind = 'notifications.project_moved'

export interface AccessRequestJob extends AccessRequestPayload {
  /** Unique per change. */
  key: string
  deciderIds: readonly number[]
}

export interface MovedJob extends MovedPayload {
  /** Unique per change. */
  key: string
}
