import type { Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** A project for the body of a system hook. */
export interface SystemHookProject
  extends Pick<
    Row<'projects'>,
    'id' | 'name' | 'path' | 'fullPath' | 'visibility' | 'createdAt' | 'updatedAt'
  > {
  /** Of the user of a personal namespace, else of the group. */
  ownerName: string
  /** Null for a group. */
  ownerEmail: string | null
}

/** Projects by id, deleted ones as well. */
export async function listSystemHookProjects(
  q: Queries,
  ids: readonly number[],
): Promise<SystemHookProject[]> {
  const rows = await q.all('system-hooks.projects', { ids }, (db, $) =>
    db
      .selectFrom('projects as p')
      .innerJoin('namespaces as n', 'n.id', 'p.namespaceId')
      .leftJoin('users as o', 'o.id', 'n.ownerId')
      .where((eb) => inList(eb.ref('p.id'), $('ids')))
      .orderBy('p.id')
      .select(['p.id', 'p.name', 'p.path', 'p.fullPath', 'p.visibility'])
      .select(['p.createdAt', 'p.updatedAt'])
      .select(['n.name as groupName', 'o.name as userName', 'o.email as ownerEmail']),
  )
  return rows.map(({ groupName, userName, ...row }) => ({
    ...row,
    ownerName: userName ?? groupName,
  }))
}

/** A group for the body of a system hook. */
export type SystemHookGroup = Pick<
  Row<'namespaces'>,
  'id' | 'name' | 'path' | 'fullPath' | 'createdAt' | 'updatedAt'
>

/** Groups by id, deleted ones as well. */
export function listSystemHookGroups(
  q: Queries,
  ids: readonly number[],
): Promise<SystemHookGroup[]> {
  return q.all('system-hooks.groups', { ids }, (db, $) =>
    db
      .selectFrom('namespaces')
      .where(inList('namespaces.id', $('ids')))
      .orderBy('id')
      .select(['id', 'name', 'path', 'fullPath', 'createdAt', 'updatedAt']),
  )
}

/** A user for the body of a system hook. */
export type SystemHookUser = Pick<
  Row<'users'>,
  'id' | 'name' | 'username' | 'email' | 'state' | 'createdAt' | 'updatedAt'
>

/** A user by id. */
export function findSystemHookUser(q: Queries, id: number): Promise<SystemHookUser | undefined> {
  return q.first('system-hooks.user', { id }, (db, $) =>
    db
      .selectFrom('users')
      .where('users.id', '=', $('id'))
      .select(['id', 'name', 'username', 'email', 'state', 'createdAt', 'updatedAt']),
  )
}

/** Whether any system hook is enabled. One seek. */
export async function hasSystemWebhooks(q: Queries): Promise<boolean> {
  const row = await q.first('webhooks.system.has', {}, (db) =>
    db
      .selectFrom('webhooks')
      .where('webhooks.kind', '=', 'system')
      .where('webhooks.disabledAt', 'is', null)
      .limit(1)
      .select('webhooks.id'),
  )
  return row !== undefined
}
