import { z } from 'zod'
import { pipelineStates } from './pipeline-states.ts'

/** A timestamp of a commit: ISO 8601 with milliseconds and the offset stored in the commit. */
const commitDate = z.iso
  .datetime({ offset: true, precision: 3 })
  .meta({ wire: { type: 'string', format: 'date-time' } })

/** The fields that every shape of a commit has. */
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

/** Lines that a commit adds and removes, compared with its first parent. */
export const CommitStats = z.object({
  additions: z.number().int(),
  deletions: z.number().int(),
  total: z.number().int(),
})
export type CommitStats = z.output<typeof CommitStats>

/** A commit in a list; `stats` are present with `with_stats`. */
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

/** A single commit; `stats=false` omits `stats`. */
export const CommitDetail = z.object({
  ...Commit.shape,
  status: z.enum(pipelineStates).nullable(),
  last_pipeline: CommitPipeline.nullable(),
  project_id: z.number().int(),
})
export type CommitDetail = z.output<typeof CommitDetail>

/** What a commit does to one file. */
export const DiffEntry = z.object({
  diff: z.string(),
  new_path: z.string(),
  old_path: z.string(),
  a_mode: z.string().nullable(),
  b_mode: z.string(),
  new_file: z.boolean(),
  renamed_file: z.boolean(),
  deleted_file: z.boolean(),
  /** `diff` is empty because this file's diff alone exceeds the limit. */
  too_large: z.boolean(),
  /** `diff` is empty because the preceding ones used up the limit of the response. */
  collapsed: z.boolean(),
})
export type DiffEntry = z.output<typeof DiffEntry>

/** The GPG signature of a commit, verified with the keys of users. */
export const CommitSignature = z.object({
  gpg_key_id: z.number().int().nullable(),
  /** Sixteen upper-case hexadecimal digits. */
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
