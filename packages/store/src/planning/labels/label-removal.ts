import type { Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { stampOf, touchStamp } from '../../platform/queries/stamps.ts'

const counted = { issue: 'issues', merge_request: 'mergeRequests', epic: 'epics' } as const
const stamped = { issue: 'issues', merge_request: 'mergeRequests' } as const

/**
 * Removes a label that is being deleted from up to `limit` items; returns from how many. The rest
 * is left to `deleteLabels`.
 */
export async function removeLabelLinks(
  tx: Transaction,
  { labelId, limit }: { labelId: number; limit: number },
): Promise<number> {
  const links = await tx.all('labels.links', { labelId, limit }, (db, $) =>
    db
      .selectFrom('labelLinks')
      .where('labelLinks.labelId', '=', $('labelId'))
      .limit($('limit'))
      .select(['targetType', 'targetId', 'projectId']),
  )
  for (const [type, ofType] of Map.groupBy(links, (link) => link.targetType)) {
    const args = { labelId, ids: ofType.map((link) => link.targetId) }
    const table = counted[type]
    const removed = await tx.all(`labels.unlink|${type}`, args, (db, $) =>
      db
        .deleteFrom('labelLinks')
        .where('labelId', '=', $('labelId'))
        .where('targetType', '=', type)
        .where(inList('labelLinks.targetId', $('ids')))
        .returning('targetId'),
    )
    const ids = removed.map((link) => link.targetId)
    await tx.run(`labels.uncount-some|${type}`, { ids }, (db, $) =>
      db
        .updateTable(table)
        .set((eb) => ({ labelCount: eb('labelCount', '-', 1) }))
        .where(inList(`${table}.id`, $('ids'))),
    )
  }
  for (const { targetType, projectId } of links) {
    if (targetType !== 'epic') touchStamp(tx, stampOf(stamped[targetType], projectId))
  }
  return links.length
}

/** Takes a label that is being deleted out of up to `limit` label events; returns of how many. */
export async function clearLabelEvents(
  tx: Transaction,
  args: { labelId: number; limit: number },
): Promise<number> {
  const { changes } = await tx.run('labels.clear-events', args, (db, $) =>
    db
      .updateTable('labelEvents')
      .set({ labelId: null })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('labelEvents as some')
          .where('some.labelId', '=', $('labelId'))
          .limit($('limit'))
          .select('some.id'),
      ),
  )
  return changes
}

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
