import { z } from 'zod'

/** A file at a ref with its content (catalogue: repository, 2). */
export const RepositoryFile = z.object({
  file_name: z.string(),
  file_path: z.string(),
  /** Bytes. */
  size: z.number().int(),
  encoding: z.literal('base64'),
  /** Hexadecimal, of the decoded content. */
  content_sha256: z.string(),
  /** As it was sent. */
  ref: z.string(),
  blob_id: z.string(),
  /** The commit that the ref stands for. */
  commit_id: z.string(),
  /** The last commit that changed the file. */
  last_commit_id: z.string(),
  content: z.string(),
})
export type RepositoryFile = z.output<typeof RepositoryFile>
