import { z } from 'zod'
import { commitFields } from '../commits/commit.schema.ts'

/** The media types of raw files: text is shown, anything else is downloaded. */
export const fileContentTypes = ['text/plain', 'application/octet-stream'] as const

/** A file at a ref with its content. */
export const RepositoryFile = z.object({
  file_name: z.string(),
  file_path: z.string(),
  /** Bytes. */
  size: z.number().int(),
  encoding: z.literal('base64'),
  /** Hexadecimal, of the decoded content. */
  content_sha256: z.string(),
  /** As sent in the request. */
  ref: z.string(),
  blob_id: z.string(),
  /** The commit that the ref points to. */
  commit_id: z.string(),
  /** The last commit that changed the file. */
  last_commit_id: z.string(),
  content: z.string(),
})
export type RepositoryFile = z.output<typeof RepositoryFile>

/** A file that is stored elsewhere, as its pointer names it. */
export const LfsPointer = z.object({
  /** Hexadecimal SHA-256. */
  oid: z.string(),
  /** Bytes. */
  size: z.number().int(),
})
export type LfsPointer = z.output<typeof LfsPointer>

/** A file at a ref with its lines, to be shown. */
export const FileLines = z.object({
  file_name: z.string(),
  file_path: z.string(),
  /** Bytes. */
  size: z.number().int(),
  /** Six digits: `100644`, `100755`, `120000`. */
  mode: z.string(),
  ref: z.string(),
  blob_id: z.string(),
  commit_id: z.string(),
  last_commit_id: z.string(),
  /** `text` has lines; a `large` file is not read, and all others have none. */
  type: z.enum(['text', 'large', 'binary', 'lfs_pointer']),
  /** As it was highlighted; null for plain text. */
  language: z.string().nullable(),
  /** HTML of each line, without line breaks; no element goes beyond its line. */
  lines: z.array(z.string()),
  /** The number of lines of the file, also of those that are left out; 0 without lines. */
  total_lines: z.number().int(),
  /** Numbers of lines that are cut, and how many characters they have. */
  cut_lines: z.array(z.object({ line: z.number().int(), length: z.number().int() })),
  lfs_pointer: LfsPointer.nullable(),
})
export type FileLines = z.output<typeof FileLines>

/** Consecutive lines of a file that were last changed by the same commit. */
export const BlameRange = z.object({
  commit: z.object({
    id: commitFields.id,
    message: commitFields.message,
    parent_ids: commitFields.parent_ids,
    authored_date: commitFields.authored_date,
    author_name: commitFields.author_name,
    author_email: commitFields.author_email,
    committed_date: commitFields.committed_date,
    committer_name: commitFields.committer_name,
    committer_email: commitFields.committer_email,
  }),
  /** Without their line breaks. */
  lines: z.array(z.string()),
})
export type BlameRange = z.output<typeof BlameRange>

/** Path and branch of a file that was written. */
export const WrittenFile = z.object({
  file_path: z.string(),
  branch: z.string(),
})
export type WrittenFile = z.output<typeof WrittenFile>
