import { z } from 'zod'
import { UserRef } from '../../directory/users/user.schema.ts'
import { timestamp } from '../../platform/contract/fields.ts'
import { Commit } from '../commits/commit.schema.ts'
import { ReleaseLink } from './release-link.schema.ts'

/** Formats of the archives that every release offers. */
export const releaseSourceFormats = ['zip', 'tar.gz', 'tar.bz2', 'tar'] as const
export type ReleaseSourceFormat = (typeof releaseSourceFormats)[number]

/** The source code of a release as an archive. */
export const ReleaseSource = z.object({
  format: z.enum(releaseSourceFormats),
  url: z.string(),
})
export type ReleaseSource = z.output<typeof ReleaseSource>

/** A release. */
export const Release = z.object({
  /** Omitted, like `commit` and `assets.sources`, for callers who may not read the code. */
  tag_name: z.string().optional(),
  name: z.string(),
  description: z.string().nullable(),
  /** Omitted with `include_html_description=false`. */
  description_html: z.string().optional(),
  created_at: timestamp,
  released_at: timestamp,
  /** Null when the user was deleted with all contributions. */
  author: UserRef.nullable(),
  /** Null when the tag does not point to a commit. */
  commit: Commit.nullable().optional(),
  assets: z.object({
    /** Of sources and links. */
    count: z.int(),
    sources: z.array(ReleaseSource).optional(),
    links: z.array(ReleaseLink),
  }),
})
export type Release = z.output<typeof Release>
