import { z } from 'zod'
import { filledText } from '../contract/fields.ts'

/** A link to a file or page that belongs to a release (document 1, Release link). */
export const ReleaseLink = z.object({
  id: z.int(),
  name: z.string(),
  url: z.string(),
  /** False where it leads into the project itself. */
  external: z.boolean(),
})
export type ReleaseLink = z.output<typeof ReleaseLink>

/** What a link is made of. */
export const NewReleaseLink = z.object({ name: filledText(), url: filledText() })
export type NewReleaseLink = z.output<typeof NewReleaseLink>
