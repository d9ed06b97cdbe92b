import type { MilestoneState } from '@stithy/core'
import { type Kysely, type SqlBool, sql } from 'kysely'
import { type ListedDescription, listedColumns } from '../../platform/queries/listed-text.ts'
import { listUncached, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { containing, inList, matches } from '../../platform/queries/sql.ts'
import type { Row, Schema } from '../../platform/schema/schema.ts'
import { milestoneColumns } from './milestone-row.ts'

/**
 * The project or group of the milestones; milestones of ancestors and descendants are not included.
 */
export type MilestoneOwner = { projectId: number } | { groupId: number }

/** The column of the owner, and its id. */
export function ownerColumn(owner: MilestoneOwner) {
  return 'projectId' in owner
    ? { column: 'projectId' as const, ownerId: owner.projectId }
    : { column: 'groupId' as const, ownerId: owner.groupId }
}

/** The filter of a milestone list. */
export interface MilestoneFilter {
  iids?: readonly number[] | undefined
  state?: MilestoneState | undefined
  /** The complete title. */
  title?: string | undefined
  /** Part of the title or the description, case-insensitive. */
  search?: string | undefined
}

/** Lists a page of milestones, newest first: their iids follow their ids. At most two queries. */
export async function listMilestones(
  q: Queries,
  owner: MilestoneOwner,
  { iids, state, title, search }: MilestoneFilter,
  request: PageRequest,
): Promise<Page<Row<'milestones'> & ListedDescription>> {
  const { column, ownerId } = ownerColumn(owner)
  const args = {
    ownerId,
    iids: iids ?? [],
    state: state ?? 'active',
    title: title ?? '',
    pattern: containing(search ?? ''),
    lowerPattern: containing((search ?? '').toLowerCase()),
  }
  const given = Object.entries({ iids, state, title, search }).filter(
    ([, value]) => value !== undefined,
  )
  const shape = [`milestones.list|${column}`, ...given.map(([name]) => name)].join('|')
  const from = (db: Kysely<Schema>, $: Param<typeof args>) => {
    let query = db.selectFrom('milestones').where(`milestones.${column}`, '=', $('ownerId'))
    if (iids !== undefined) query = query.where(inList('milestones.iid', $('iids')))
    if (state !== undefined) query = query.where('milestones.state', '=', $('state'))
    if (title !== undefined) query = query.where('milestones.title', '=', $('title'))
    return search === undefined ? query : query.where(isFound($))
  }
  return listUncached(q, request, {
    shape,
    args,
    key: 'milestones.id',
    from,
    order: (query) => query.orderBy('milestones.iid', 'desc'),
    columns: (query) => query.select(listedColumns('milestones', milestoneColumns)),
  })
}

/** `lower` converts only ASCII letters; other letters match only as written. */
function isFound($: Param<{ pattern: string; lowerPattern: string }>) {
  const either = ['title', 'description'].flatMap((name) => {
    const column = sql.ref<string>(`milestones.${name}`)
    return [
      matches(column, $('pattern')),
      matches(sql<string>`lower(${column})`, $('lowerPattern')),
    ]
  })
  return sql<SqlBool>`(${sql.join(either, sql` or `)})`
}

/** A milestone of a project or group by its id. */
export function findMilestone(
  q: Queries,
  owner: MilestoneOwner,
  id: number,
): Promise<Row<'milestones'> | undefined> {
  const { column, ownerId } = ownerColumn(owner)
  return q.first(`milestones.find|${column}`, { id, ownerId }, (db, $) =>
    db
      .selectFrom('milestones')
      .select(milestoneColumns)
      .where('milestones.id', '=', $('id'))
      .where(`milestones.${column}`, '=', $('ownerId')),
  )
}
