import type { ProtectedTag } from '@stithy/core'
import type { NamedLevelRow } from '@stithy/store'
import { levelDescription } from '../branches/protected-branch.presenter.ts'

/** Presents protected tags, with the entries of all of them. */
export function presentProtectedTags(
  refs: readonly { id: number; name: string }[],
  levels: readonly NamedLevelRow[],
): ProtectedTag[] {
  const byRef = Map.groupBy(levels, ({ protectedRefId }) => protectedRefId)
  return refs.map(({ id, name }) => ({
    name,
    create_access_levels: (byRef.get(id) ?? []).map(({ accessLevel }) => {
      const level = accessLevel ?? 0
      return { access_level: level, access_level_description: levelDescription(level) }
    }),
  }))
}
