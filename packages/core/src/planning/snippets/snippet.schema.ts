import { z } from 'zod'
import { UserRef } from '../../directory/users/user.schema.ts'
import { visibilities } from '../../platform/access/level.ts'
import { timestamp } from '../../platform/contract/fields.ts'

/** A snippet without its content. */
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

/** A snippet in the `/snippets` endpoints. */
export const PersonalSnippet = Snippet.extend({ raw_url: z.string() })
export type PersonalSnippet = z.output<typeof PersonalSnippet>
