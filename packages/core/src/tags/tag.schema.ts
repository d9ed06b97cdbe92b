import { z } from 'zod'
import { Commit } from '../commits/commit.schema.ts'

/** What a tag shows of its release. */
export const TagRelease = z.object({
  tag_name: z.string(),
  description: z.string().nullable(),
})
export type TagRelease = z.output<typeof TagRelease>

/** A tag (catalogue: repository, 7). */
export const Tag = z.object({
  name: z.string(),
  /** Null for a lightweight tag. */
  message: z.string().nullable(),
  /** The tag's own object when it is annotated, else what it points at. */
  target: z.string(),
  /** Null where the tag stands for something that is no commit. */
  commit: Commit.nullable(),
  release: TagRelease.nullable(),
  protected: z.boolean(),
})
export type Tag = z.output<typeof Tag>
