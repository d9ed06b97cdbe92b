import { z } from 'zod'
import { CommitPipeline } from '../../code/commits/commit.schema.ts'
import { UserRef } from '../../directory/users/user.schema.ts'
import { timestamp } from '../../platform/contract/fields.ts'

/** A pipeline in short. */
export const PipelineRef = CommitPipeline.extend({ web_url: z.string() })
export type PipelineRef = z.output<typeof PipelineRef>

/** A status for display. */
export const DetailedStatus = z.object({
  icon: z.string(),
  text: z.string(),
  label: z.string(),
  group: z.string(),
  tooltip: z.string(),
  has_details: z.boolean(),
  /** Path of the web page, without the host. */
  details_path: z.string(),
  illustration: z.null(),
  favicon: z.string(),
})
export type DetailedStatus = z.output<typeof DetailedStatus>

/** A single pipeline. */
export const Pipeline = PipelineRef.extend({
  /** The previous commit of the ref; 40 zeros if unknown. */
  before_sha: z.string(),
  tag: z.boolean(),
  yaml_errors: z.null(),
  user: UserRef.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  committed_at: timestamp.nullable(),
  /** Seconds during which a job was running. */
  duration: z.int().nullable(),
  /** The mean of its jobs and statuses in percent: `30.0`. */
  coverage: z.string().nullable(),
  detailed_status: DetailedStatus,
})
export type Pipeline = z.output<typeof Pipeline>
