import { z } from 'zod'
import { Commit } from '../../code/commits/commit.schema.ts'
import { pipelineStates } from '../../code/commits/pipeline-states.ts'
import { UserProfile } from '../../directory/users/user.schema.ts'
import { timestamp } from '../../platform/contract/fields.ts'
import { PipelineRef } from '../pipelines/pipeline.schema.ts'

/** A file that a job left. */
export const JobArtifact = z.object({
  file_type: z.string(),
  size: z.int(),
  filename: z.string(),
  file_format: z.string(),
})
export type JobArtifact = z.output<typeof JobArtifact>

/** A job of a pipeline. */
export const Job = z.object({
  id: z.int(),
  status: z.enum(pipelineStates),
  stage: z.string(),
  name: z.string(),
  ref: z.string(),
  tag: z.boolean(),
  /** In percent. */
  coverage: z.number().nullable(),
  allow_failure: z.boolean(),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  /** Seconds that it ran or has been running; null before it starts. */
  duration: z.number().nullable(),
  user: UserProfile.nullable(),
  /** Null when the repository no longer has it. */
  commit: Commit.nullable(),
  pipeline: PipelineRef,
  web_url: z.string(),
  artifacts: z.array(JobArtifact),
  runner: z.null(),
  artifacts_expire_at: timestamp.nullable(),
})
export type Job = z.output<typeof Job>
