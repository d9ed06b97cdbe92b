import type { Transaction } from '../../platform/queries/queries.ts'

/** Deletes the subscriptions to the labels of a project or group that is being deleted. */
export async function removeLabelSubscriptions(
  tx: Transaction,
  owner: { projectId: number } | { groupId: number },
): Promise<void> {
  const column = 'projectId' in owner ? 'projectId' : 'groupId'
  const id = 'projectId' in owner ? owner.projectId : owner.groupId
  await tx.run(`labels.subscriptions|${column}`, { id }, (db, $) =>
    db
      .deleteFrom('subscriptions')
      .where('targetType', '=', 'label')
      .where('targetId', 'in', (eb) =>
        eb.selectFrom('labels').where(column, '=', $('id')).select('labels.id'),
      ),
  )
}
