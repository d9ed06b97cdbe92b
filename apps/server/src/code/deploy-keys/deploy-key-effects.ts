import { type Transaction, unlinkProjectDeployKeys } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'

/** Unlinks the deploy keys of a deleted project; those without another project are deleted. */
export async function unlinkKeysOfDeletedProjects(
  tx: Transaction,
  { projectIds }: Change<'project.deleted'>,
): Promise<void> {
  await unlinkProjectDeployKeys(tx, projectIds)
}
