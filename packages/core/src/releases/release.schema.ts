import { z } from 'zod'
import { Commit } from '../commits/commit.schema.ts'
import { timestamp } from '../contract/fields.ts'
import { ReleaseLink } from '../release-links/release-link.schema.ts'
import { UserRef } from '../users/user.schema.ts'

/** Formats of the archives that every release offers. */
export const releaseSourceFormats = ['zip', 'tar.gz', 'tar.bz2', 'tar'] as const
export type ReleaseSourceFormat = (typeof releaseSourceFormats)[number]

/** The code of a release as an archive. */
export const ReleaseSource = z.object({
  format: z.enum(releaseSourceFormats),
  url: z.string(),
})
export type ReleaseSource = z.output<typeof ReleaseSource>

/** A release (catalogue: repository, 9). */
export const Release = z.object({
  /** Left out, as `commit` and `assets.sources`, for callers who may not read the code. */
  tag_name: z.string().optional(),
  name: z.string(),
  description: z.string().nullable(),
  description_html: z.string(),
  created_at: timestamp,
  released_at: timestamp,
  /** Null where the account is gone with all that it wrote. */
  author: UserRef.nullable(),
  /** Null where the tag stands for something that is no commit. */
  commit: Commit.nullable().optional(),
  assets: z.object({
    /** Of sources and links. */
    count: z.int(),
    sources: z.array(ReleaseSource).optional(),
    links: z.array(ReleaseLink),
  }),
})
export type Release = z.output<typeof Release>
