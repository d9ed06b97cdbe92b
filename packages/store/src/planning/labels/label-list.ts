import type { ExpressionBuilder, Kysely } from 'kysely'
import { listUncached, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import type { ProjectScope } from './label-finders.ts'
import { type LabelRow, labelColumns } from './label-row.ts'

/** A label of a project, with its priority there. */
export interface ProjectLabelRow extends LabelRow {
  priority: number | null
}

/** A label by id or by title. */
export type LabelKey = { id: number } | { title: string }

/** The name of the filter in shapes, and its arguments. */
function keyOf(key: LabelKey | undefined) {
  if (key === undefined) return { filter: 'all' as const, id: 0, title: '' }
  if ('id' in key) return { filter: 'id' as const, id: key.id, title: '' }
  return { filter: 'title' as const, id: 0, title: key.title }
}

type Args = ProjectScope & { id: number; title: string }

function labelsOfProject(db: Kysely<Schema>, $: Param<Args>, filter: 'all' | 'id' | 'title') {
  const all = db
    .selectFrom('labels')
    .where((eb) =>
      eb.or([eb('labels.projectId', '=', $('projectId')), inGroups(eb, $('namespaceId'))]),
    )
  return filter === 'all' ? all : all.where(`labels.${filter}`, '=', $(filter) as never)
}

/** The labels of a namespace and its ancestors. */
function inGroups(eb: ExpressionBuilder<Schema, 'labels'>, namespaceId: number) {
  const groups = eb
    .selectFrom('namespaceAncestors as above')
    .where('above.descendantId', '=', namespaceId)
    .select('above.ancestorId')
  return eb('labels.groupId', 'in', groups)
}

function joinPriority(db: Kysely<Schema>, $: Param<Args>, filter: 'all' | 'id' | 'title') {
  return labelsOfProject(db, $, filter).leftJoin('labelPriorities', (join) =>
    join
      .onRef('labelPriorities.labelId', '=', 'labels.id')
      .on('labelPriorities.projectId', '=', $('projectId')),
  )
}

/**
 * Lists the labels of a project and its ancestor groups, by title; with `title`, those with it. Two
 * queries, which read the labels of the project.
 */
export async function listProjectLabels(
  q: Queries,
  scope: ProjectScope,
  title: string | undefined,
  request: PageRequest,
): Promise<Page<ProjectLabelRow>> {
  const { filter, ...key } = keyOf(title === undefined ? undefined : { title })
  const args = { ...scope, ...key }
  return listUncached(q, request, {
    shape: `labels.of-project|${filter}`,
    args,
    key: 'labels.id',
    from: (db, $) => joinPriority(db, $, filter),
    order: (query) => query.orderBy('labels.title').orderBy('labels.id'),
    columns: (query) => query.select([...labelColumns, 'labelPriorities.priority']),
    count: (db, $) =>
      labelsOfProject(db, $, filter).select((eb) => eb.fn.countAll<number>().as('total')),
  })
}

/** A label of a project; by title, its own or that of the nearest group. One query. */
export async function findProjectLabel(
  q: Queries,
  scope: ProjectScope,
  label: LabelKey,
): Promise<ProjectLabelRow | undefined> {
  const { filter, ...key } = keyOf(label)
  const rows = await q.all(`labels.in-project|${filter}`, { ...scope, ...key }, (db, $) =>
    joinPriority(db, $, filter)
      .leftJoin('namespaceAncestors as ancestor', (join) =>
        join
          .onRef('ancestor.ancestorId', '=', 'labels.groupId')
          .on('ancestor.descendantId', '=', $('namespaceId')),
      )
      .select([...labelColumns, 'labelPriorities.priority', 'ancestor.distance']),
  )
  return nearest(rows)
}

function nearest<R extends { distance: number | null }>(
  rows: readonly R[],
): Omit<R, 'distance'> | undefined {
  const [row] = rows.toSorted((a, b) => (a.distance ?? -1) - (b.distance ?? -1))
  if (row === undefined) return undefined
  const { distance: _, ...label } = row
  return label
}

type GroupArgs = { groupId: number; id: number; title: string }

function labelsOfGroup(db: Kysely<Schema>, $: Param<GroupArgs>, filter: 'all' | 'id' | 'title') {
  const all = db
    .selectFrom('namespaceAncestors as above')
    .innerJoin('labels', 'labels.groupId', 'above.ancestorId')
    .where('above.descendantId', '=', $('groupId'))
  return filter === 'all' ? all : all.where(`labels.${filter}`, '=', $(filter) as never)
}

/** Which labels of a group are listed. */
export interface GroupLabelFilter {
  title?: string | undefined
  /** Leaves out those of its ancestors. */
  isOwn: boolean
}

/** Lists the labels of a group and its ancestors, by title. Two queries. */
export async function listGroupLabels(
  q: Queries,
  groupId: number,
  { title, isOwn }: GroupLabelFilter,
  request: PageRequest,
): Promise<Page<LabelRow>> {
  const { filter, ...key } = keyOf(title === undefined ? undefined : { title })
  const args = { groupId, ...key }
  return listUncached(q, request, {
    shape: `labels.of-group|${filter}|${isOwn ? 'own' : 'inherited'}`,
    args,
    key: 'labels.id',
    from: (db, $) => {
      const labels = labelsOfGroup(db, $, filter)
      return isOwn ? labels.where('above.distance', '=', 0) : labels
    },
    order: (query) => query.orderBy('labels.title').orderBy('labels.id'),
    columns: (query) => query.select(labelColumns),
  })
}

/** A label of a group or its ancestors; by title, the nearest. One query. */
export async function findGroupLabel(
  q: Queries,
  groupId: number,
  label: LabelKey,
): Promise<LabelRow | undefined> {
  const { filter, ...key } = keyOf(label)
  const rows = await q.all(`labels.in-group|${filter}`, { groupId, ...key }, (db, $) =>
    labelsOfGroup(db, $, filter).select([...labelColumns, 'above.distance']),
  )
  return nearest(rows)
}
