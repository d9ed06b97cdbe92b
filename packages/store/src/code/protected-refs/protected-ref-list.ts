import type { Kysely, SelectQueryBuilder } from 'kysely'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { stampOf } from '../../platform/queries/stamps.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import type { ProtectedRefKind, ProtectedRefLevel, ProtectedRefRow } from './protected-ref-store.ts'

/** An access entry of a protected ref with the name of its user or group. */
export interface NamedLevelRow extends ProtectedRefLevel {
  protectedRefId: number
  userName: string | null
  groupName: string | null
}

interface Args {
  projectId: number
  kind: ProtectedRefKind
}

type Select = SelectQueryBuilder<Schema, 'protectedRefs', object>

/** A page of the protected branches or tags of a project, by name. At most three queries. */
export function listProtectedRefs(
  q: Queries,
  args: Args,
  page: PageRequest,
): Promise<Page<ProtectedRefRow>> {
  const from = (db: Kysely<Schema>, $: Param<Args>) =>
    db
      .selectFrom('protectedRefs')
      .where('protectedRefs.projectId', '=', $('projectId'))
      .where('protectedRefs.kind', '=', $('kind')) as unknown as Select
  return listPage(q, page, {
    shape: 'protectedRefs.list',
    args,
    stamp: [stampOf('protectedRefs', args.projectId)],
    from,
    // Names are unique within a project.
    order: (query) => query.orderBy('protectedRefs.name'),
    columns: (query) =>
      query.select(['protectedRefs.id', 'protectedRefs.name', 'protectedRefs.createdAt']),
    key: 'protectedRefs.id',
  })
}

/**
 * Lists the access entries of several protected refs, in the order in which they were added. One
 * query.
 */
export function listProtectedRefLevels(
  q: Queries,
  ids: readonly number[],
): Promise<NamedLevelRow[]> {
  return q.all('protectedRefs.levels', { ids }, (db, $) =>
    db
      .selectFrom('protectedRefLevels as l')
      .leftJoin('users as u', 'u.id', 'l.userId')
      .leftJoin('namespaces as g', 'g.id', 'l.groupId')
      .where((eb) => inList(eb.ref('l.protectedRefId'), $('ids')))
      .orderBy('l.id')
      .select([
        'l.protectedRefId',
        'l.action',
        'l.accessLevel',
        'l.userId',
        'l.groupId',
        'u.name as userName',
        'g.name as groupName',
      ]),
  )
}
