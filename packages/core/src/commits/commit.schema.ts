import { z } from 'zod'

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
  status: z.string(),
})

/** One commit; `stats=false` leaves `stats` out (catalogue: repository, 3). */
export const CommitDetail = z.object({
  ...Commit.shape,
  status: z.string().nullable(),
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
})
export type DiffEntry = z.output<typeof DiffEntry>

/** A branch or tag that contains a commit. */
export const CommitRef = z.object({
  type: z.enum(['branch', 'tag']),
  name: z.string(),
})
export type CommitRef = z.output<typeof CommitRef>
