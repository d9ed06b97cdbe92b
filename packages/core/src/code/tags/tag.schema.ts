import { z } from 'zod'
import { Commit } from '../commits/commit.schema.ts'

/** The release of a tag, as nested in the tag. */
export const TagRelease = z.object({
  tag_name: z.string(),
  description: z.string().nullable(),
})
export type TagRelease = z.output<typeof TagRelease>

/** A tag. */
export const Tag = z.object({
  name: z.string(),
  /** Null for a lightweight tag. */
  message: z.string().nullable(),
  /** The tag object of an annotated tag, else the object that it points to. */
  target: z.string(),
  /** Null when the tag does not point to a commit. */
  commit: Commit.nullable(),
  release: TagRelease.nullable(),
  protected: z.boolean(),
})
export type Tag = z.output<typeof Tag>
