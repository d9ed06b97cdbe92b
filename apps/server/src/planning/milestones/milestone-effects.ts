import type { Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'
import { transferMilestones } from './milestone-transfer.service.ts'

/**
 * The issues and merge requests of a transferred project keep their milestones, including those of
 * groups that it has left.
 */
export async function keepMilestonesOfTransferredProject(
  tx: Transaction,
  { projectId, namespaceId, at }: Change<'project.transferred'>,
): Promise<void> {
  await transferMilestones(tx, { projectId, namespaceId, at })
}
