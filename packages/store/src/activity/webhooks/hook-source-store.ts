import type { Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** A label for a webhook payload. */
export type HookLabelRow = Row<'labels'>

const columns = [
  'labels.id',
  'labels.projectId',
  'labels.groupId',
  'labels.title',
  'labels.color',
  'labels.description',
  'labels.createdAt',
  'labels.updatedAt',
] as const

/** Lists the labels of an issue or merge request, by title. */
export function listHookLabels(
  q: Queries,
  target: { targetType: 'issue' | 'merge_request'; targetId: number },
): Promise<HookLabelRow[]> {
  return q.all('hook-labels.of', target, (db, $) =>
    db
      .selectFrom('labelLinks')
      .innerJoin('labels', 'labels.id', 'labelLinks.labelId')
      .where('labelLinks.targetType', '=', $('targetType'))
      .where('labelLinks.targetId', '=', $('targetId'))
      .select(columns)
      .orderBy('labels.title')
      .orderBy('labels.id'),
  )
}

/** Lists labels by their ids, sorted by title. */
export function listHookLabelsById(q: Queries, ids: readonly number[]): Promise<HookLabelRow[]> {
  return q.all('hook-labels.by-id', { ids }, (db, $) =>
    db
      .selectFrom('labels')
      .where(inList('labels.id', $('ids')))
      .select(columns)
      .orderBy('labels.title')
      .orderBy('labels.id'),
  )
}

/** A snippet with its content, for a webhook payload. */
export function findHookSnippet(q: Queries, id: number): Promise<Row<'snippets'> | undefined> {
  return q.first('hook-snippets.by-id', { id }, (db, $) =>
    db.selectFrom('snippets').selectAll().where('snippets.id', '=', $('id')),
  )
}
