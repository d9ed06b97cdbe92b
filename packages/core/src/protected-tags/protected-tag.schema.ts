import { z } from 'zod'

/** Levels that may be asked for to create protected tags (catalogue: repository, 8). */
export const protectedTagLevels = [0, 30, 40] as const

/** A tag, or all that a wildcard matches, that not everybody may create and nobody may change. */
export const ProtectedTag = z.object({
  name: z.string(),
  create_access_levels: z.array(
    z.object({ access_level: z.int(), access_level_description: z.string() }),
  ),
})
export type ProtectedTag = z.output<typeof ProtectedTag>
