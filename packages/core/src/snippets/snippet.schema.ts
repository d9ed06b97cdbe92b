import { z } from 'zod'
import { visibilities } from '../access/level.ts'
import { timestamp } from '../contract/fields.ts'
import { UserRef } from '../users/user.schema.ts'

/** A snippet without its content (catalogue: planning, 6). */
export const Snippet = z.object({
  id: z.int(),
  title: z.string(),
  file_name: z.string(),
  description: z.string().nullable(),
  visibility: z.enum(visibilities),
  author: UserRef,
  updated_at: timestamp,
  created_at: timestamp,
  /** Null for personal snippets. */
  project_id: z.int().nullable(),
  web_url: z.string(),
})
export type Snippet = z.output<typeof Snippet>

/** A snippet as the calls below `/snippets` show it. */
export const PersonalSnippet = Snippet.extend({ raw_url: z.string() })
export type PersonalSnippet = z.output<typeof PersonalSnippet>
