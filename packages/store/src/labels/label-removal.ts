import type { Transaction } from '../queries.ts'

/** Removes the subscriptions to the labels of a project or group that goes. */
export async function removeLabelSubscriptions(
  tx: Transaction,
  whose: { projectId: number } | { groupId: number },
): Promise<void> {
  const column = 'projectId' in whose ? 'projectId' : 'groupId'
  const id = 'projectId' in whose ? whose.projectId : whose.groupId
  await tx.run(`labels.subscriptions|${column}`, { id }, (db, $) =>
    db
      .deleteFrom('subscriptions')
      .where('targetType', '=', 'label')
      .where('targetId', 'in', (eb) =>
        eb.selectFrom('labels').where(column, '=', $('id')).select('labels.id'),
      ),
  )
}
