import { z } from 'zod'
import { nonEmptyText } from '../../platform/contract/fields.ts'

/** A link from a release to a file or page. */
export const ReleaseLink = z.object({
  id: z.int(),
  name: z.string(),
  url: z.string(),
  /** False for URLs within the project itself. */
  external: z.boolean(),
})
export type ReleaseLink = z.output<typeof ReleaseLink>

/** Fields of a new link. */
export const NewReleaseLink = z.object({ name: nonEmptyText(), url: nonEmptyText() })
export type NewReleaseLink = z.output<typeof NewReleaseLink>
