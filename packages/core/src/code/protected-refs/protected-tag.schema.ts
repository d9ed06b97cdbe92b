import { z } from 'zod'

/** Access levels that creating a protected tag may require. */
export const protectedTagLevels = [0, 30, 40] as const

/** A protected tag or wildcard: not everyone may create such tags, and nobody may change them. */
export const ProtectedTag = z.object({
  name: z.string(),
  create_access_levels: z.array(
    z.object({ access_level: z.int(), access_level_description: z.string() }),
  ),
})
export type ProtectedTag = z.output<typeof ProtectedTag>
