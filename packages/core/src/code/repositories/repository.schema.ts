import { z } from 'zod'
import { Commit, DiffEntry } from '../commits/commit.schema.ts'

/** An entry of a directory; `commit` is a submodule. */
export const TreeEntry = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(['tree', 'blob', 'commit']),
  /** From the root of the repository. */
  path: z.string(),
  /** Six digits: `100644`, `040000`. */
  mode: z.string(),
  /** With `with_last_commits`, the newest commit that changed it; null if it is not known yet. */
  last_commit: Commit.nullable().optional(),
})
export type TreeEntry = z.output<typeof TreeEntry>

/** The content of a file, by its hash. */
export const RepositoryBlob = z.object({
  /** Bytes. */
  size: z.number().int(),
  encoding: z.literal('base64'),
  /** Without line breaks. */
  content: z.string(),
  sha: z.string(),
})
export type RepositoryBlob = z.output<typeof RepositoryBlob>

/** Commits and diffs between two commits. */
export const Comparison = z.object({
  /** The newest of `commits`. */
  commit: Commit.nullable(),
  /** Oldest first. */
  commits: z.array(Commit),
  diffs: z.array(DiffEntry),
  /** Whether commits or files were omitted because of the limits. */
  compare_timeout: z.boolean(),
  compare_same_ref: z.boolean(),
})
export type Comparison = z.output<typeof Comparison>

/** An author of commits on the default branch, by e-mail address. */
export const Contributor = z.object({
  name: z.string(),
  email: z.string(),
  commits: z.number().int(),
  /** Not counted: that would need a diff of every commit. */
  additions: z.literal(0),
  deletions: z.literal(0),
})
export type Contributor = z.output<typeof Contributor>

/** Share of each language in the bytes of the default branch: per cent, two decimals. */
export const LanguageShares = z.record(z.string(), z.number())
export type LanguageShares = z.output<typeof LanguageShares>
