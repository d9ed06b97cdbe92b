import { z } from 'zod'
import { Pipeline, PipelineRef } from '../../ci/pipelines/pipeline.schema.ts'
import { DiffEntry } from '../../code/commits/commit.schema.ts'
import { MergeRequest } from '../../planning/items/merge-request.schema.ts'
import { timestamp } from '../../platform/contract/fields.ts'

/** The three commits of a diff; a discussion on a line names them in its position. */
export const MergeRequestDiffRefs = z.object({
  /** The merge base; null where the branches share no history. */
  base_sha: z.string().nullable(),
  head_sha: z.string(),
  /** The target branch at that time. */
  start_sha: z.string(),
})

/** A single merge request. */
export const MergeRequestDetail = MergeRequest.extend({
  subscribed: z.boolean(),
  /** The number of changed files; `1000+` if there are more. */
  changes_count: z.string(),
  diff_refs: MergeRequestDiffRefs,
  /** If it asks for more approvals than its project; omitted in tiers without approvals. */
  approvals_before_merge: z.int().nullable().optional(),
  /** Why the last merge or rebase failed. */
  merge_error: z.string().nullable(),
  user: z.object({ can_merge: z.boolean() }),
  /** The newest pipeline of the head; absent for callers who may not read pipelines. */
  pipeline: PipelineRef.nullable().optional(),
  /** The same in full. */
  head_pipeline: Pipeline.nullable().optional(),
  latest_build_started_at: timestamp.nullable().optional(),
  latest_build_finished_at: timestamp.nullable().optional(),
  first_deployed_to_production_at: timestamp.nullable().optional(),
  /** With `render_html`. */
  title_html: z.string().optional(),
  description_html: z.string().optional(),
  /** With `include_diverged_commits_count`: commits of the target that the source lacks. */
  diverged_commits_count: z.int().optional(),
  /** With `include_rebase_in_progress`. */
  rebase_in_progress: z.boolean().optional(),
})
export type MergeRequestDetail = z.output<typeof MergeRequestDetail>

/** A single merge request with its diff. */
export const MergeRequestChanges = MergeRequestDetail.extend({
  changes: z.array(DiffEntry),
  /** Whether there are more changed files than `changes` has. */
  overflow: z.boolean(),
})
export type MergeRequestChanges = z.output<typeof MergeRequestChanges>
