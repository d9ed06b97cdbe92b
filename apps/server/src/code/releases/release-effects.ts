import { parseRef, type RefUpdate } from '@stithy/core'
import { deleteReleases, type Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'

/** Deletes the release of a deleted tag. */
export async function deleteReleasesOfTags(
  tx: Transaction,
  { push: { projectId, updates } }: Change<'refs.moved'>,
): Promise<void> {
  await deleteReleases(tx, { projectId, tags: deletedTags(updates) })
}

function deletedTags(updates: readonly RefUpdate[]): string[] {
  return updates.flatMap(({ ref, after }) => {
    const named = after === null ? parseRef(ref) : undefined
    return named?.type === 'tag' ? [named.name] : []
  })
}
