import { sql } from 'kysely'
import type { Transaction } from '../../platform/queries/queries.ts'
import { asBigint, inList } from '../../platform/queries/sql.ts'
import { stampOf, touchStamp } from '../../platform/queries/stamps.ts'

/** Labels to replace by another one: in one project, or everywhere. */
export interface LabelMerge {
  from: readonly number[]
  into: number
  projectId?: number
}

const counted = { issue: 'issues', merge_request: 'mergeRequests', epic: 'epics' } as const
const stamped = { issue: 'issues', merge_request: 'mergeRequests' } as const
type LabelledType = keyof typeof counted

/**
 * Gives up to `limit` items the remaining label in place of the others, once each; returns how many
 * links were moved.
 */
export async function moveLabelLinks(
  tx: Transaction,
  { from, into, projectId, limit }: LabelMerge & { limit: number },
): Promise<number> {
  const args = { from, limit, projectId: projectId ?? 0 }
  const scope = projectId === undefined ? 'everywhere' : 'project'
  const links = await tx.all(`label-merge.links|${scope}`, args, (db, $) => {
    const all = db
      .selectFrom('labelLinks')
      .where(inList('labelLinks.labelId', $('from')))
      .limit($('limit'))
      .select(['targetType', 'targetId', 'projectId'])
    return projectId === undefined ? all : all.where('labelLinks.projectId', '=', $('projectId'))
  })
  for (const [type, ofType] of Map.groupBy(links, (link) => link.targetType)) {
    await moveLinksOf(tx, type, { from, into, ids: ofType.map((link) => link.targetId) })
  }
  for (const { targetType, projectId: of } of links) {
    if (targetType !== 'epic') touchStamp(tx, stampOf(stamped[targetType], of))
  }
  return links.length
}

async function moveLinksOf(
  tx: Transaction,
  type: LabelledType,
  moving: LabelMerge & { ids: readonly number[] },
): Promise<void> {
  const given = await tx.all(`label-merge.give|${type}`, moving, (db, $) =>
    db
      .insertInto('labelLinks')
      .columns(['targetType', 'targetId', 'projectId', 'createdAt', 'labelId'])
      .expression((eb) =>
        eb
          .selectFrom('labelLinks as old')
          .where('old.targetType', '=', type)
          .where(inList(sql.ref('old.targetId'), $('ids')))
          .where(inList(sql.ref('old.labelId'), $('from')))
          .select([
            'old.targetType',
            'old.targetId',
            'old.projectId',
            'old.createdAt',
            asBigint($('into')).as('labelId'),
          ]),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning('targetId'),
  )
  const taken = await tx.all(`label-merge.take|${type}`, moving, (db, $) =>
    db
      .deleteFrom('labelLinks')
      .where('targetType', '=', type)
      .where(inList('labelLinks.targetId', $('ids')))
      .where(inList('labelLinks.labelId', $('from')))
      .returning('targetId'),
  )
  const renewed = new Set(given.map((link) => link.targetId))
  // Items with both labels have one label less.
  const ids = taken.map((link) => link.targetId).filter((id) => !renewed.delete(id))
  for (const lost of countsOf(ids)) await uncount(tx, type, lost)
}

/** Groups ids by how often they occur: `[7, 7, 8]` to 8 once and 7 twice. */
function countsOf(ids: readonly number[]): { ids: number[]; count: number }[] {
  const byId = Map.groupBy(ids, (id) => id)
  const byCount = Map.groupBy(byId.keys(), (id) => byId.get(id)?.length ?? 0)
  return [...byCount].map(([count, some]) => ({ ids: some, count }))
}

async function uncount(
  tx: Transaction,
  type: LabelledType,
  lost: { ids: readonly number[]; count: number },
): Promise<void> {
  const table = counted[type]
  await tx.run(`label-merge.count|${type}`, lost, (db, $) =>
    db
      .updateTable(table)
      .set((eb) => ({ labelCount: eb('labelCount', '-', $('count')) }))
      .where(inList(`${table}.id`, $('ids'))),
  )
}

/** Moves up to `limit` label events to the remaining label; returns how many. */
export async function moveLabelEvents(
  tx: Transaction,
  { from, into, projectId, limit }: LabelMerge & { limit: number },
): Promise<number> {
  const args = { from, into, limit, projectId: projectId ?? 0 }
  const scope = projectId === undefined ? 'everywhere' : 'project'
  const { changes } = await tx.run(`label-merge.events|${scope}`, args, (db, $) =>
    db
      .updateTable('labelEvents')
      .set({ labelId: $('into') })
      .where('id', 'in', (eb) => {
        const all = eb
          .selectFrom('labelEvents as some')
          .where(inList(sql.ref('some.labelId'), $('from')))
          .limit($('limit'))
          .select('some.id')
        return projectId === undefined ? all : all.where('some.projectId', '=', $('projectId'))
      }),
  )
  return changes
}
