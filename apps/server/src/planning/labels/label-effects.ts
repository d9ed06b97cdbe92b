import { insertLabelEvents, type Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'
import { transferLabels } from './label-transfer.service.ts'

/** Keeps the labels of issues in a transferred project, also those of groups that it left. */
export async function keepLabelsOfTransferredProject(
  tx: Transaction,
  { projectId, namespaceId, at }: Change<'project.transferred'>,
): Promise<void> {
  await transferLabels(tx, { projectId, namespaceId, at })
}

/** Writes an event for each label, which `resource_label_events` endpoints list. */
export async function recordLabelEvents(
  tx: Transaction,
  { target, added, removed, userId, at }: Change<'item.labeled'>,
): Promise<void> {
  await insertLabelEvents(tx, target, { action: 'add', labelIds: added, userId, at })
  await insertLabelEvents(tx, target, { action: 'remove', labelIds: removed, userId, at })
}
