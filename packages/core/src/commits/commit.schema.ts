import { z } from 'zod'
import { pipelineStates } from '../pipelines/pipeline-status.rules.ts'

/** An instant of a commit: ISO 8601 with milliseconds and the offset that the commit carries. */
const commitDate = z.string().meta({ wire: { type: 'string', format: 'date-time' } })

/** The fields that every view of a commit has (document 1, Commit). */
export const commitFields = {
  id: z.string(),
  short_id: z.string(),
  title: z.string(),
  message: z.string(),
  parent_ids: z.array(z.string()),
  author_name: z.string(),
  author_email: z.string(),
  authored_date: commitDate,
  committer_name: z.string(),
  committer_email: z.string(),
  committed_date: commitDate,
}

/** Lines that a commit adds and removes, against its first parent. */
export const CommitStats = z.object({
  additions: z.number().int(),
  deletions: z.number().int(),
  total: z.number().int(),
})
export type CommitStats = z.output<typeof CommitStats>

/** A commit in a list; `stats` stand there with `with_stats`. */
export const Commit = z.object({
  ...commitFields,
  created_at: commitDate,
  stats: CommitStats.optional(),
})
export type Commit = z.output<typeof Commit>

/** The newest pipeline of a commit. */
export const CommitPipeline = z.object({
  id: z.number().int(),
  ref: z.string(),
  sha: z.string(),
  status: z.enum(pipelineStates),
})
export type CommitPipeline = z.output<typeof CommitPipeline>

/** One commit; `stats=false` leaves `stats` out (catalogue: repository, 3). */
export const CommitDetail = z.object({
  ...Commit.shape,
  status: z.enum(pipelineStates).nullable(),
  last_pipeline: CommitPipeline.nullable(),
  project_id: z.number().int(),
})
export type CommitDetail = z.output<typeof CommitDetail>

/** What a commit does to one file (document 1, Diff entry). */
export const DiffEntry = z.object({
  diff: z.string(),
  new_path: z.string(),
  old_path: z.string(),
  a_mode: z.string().nullable(),
  b_mode: z.string(),
  new_file: z.boolean(),
  renamed_file: z.boolean(),
  deleted_file: z.boolean(),
  /** `diff` is empty because this file's alone is over the limit. */
  too_large: z.boolean(),
  /** `diff` is empty because those before it used up the limit of the answer. */
  collapsed: z.boolean(),
})
export type DiffEntry = z.output<typeof DiffEntry>

/** Who signed a commit, as far as the keys of users tell (catalogue: repository, 3). */
export const CommitSignature = z.object({
  gpg_key_id: z.number().int().nullable(),
  /** Sixteen hexadecimal digits, in capitals. */
  gpg_key_primary_keyid: z.string(),
  gpg_key_user_name: z.string().nullable(),
  gpg_key_user_email: z.string().nullable(),
  verification_status: z.enum([
    'verified',
    'unverified',
    'same_user_different_email',
    'other_user',
    'unverified_key',
    'unknown_key',
  ]),
  gpg_key_subkey_id: z.number().int().nullable(),
})
export type CommitSignature = z.output<typeof CommitSignature>

/** A branch or tag that contains a commit. */
export const CommitRef = z.object({
  type: z.enum(['branch', 'tag']),
  name: z.string(),
})
export type CommitRef = z.output<typeof CommitRef>
