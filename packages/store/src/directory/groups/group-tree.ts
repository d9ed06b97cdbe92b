import type { Visibility } from '@stithy/core'
import { sql } from 'kysely'
import { inBackground, type Queries, type Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { touchStamp } from '../../platform/queries/stamps.ts'
import { deleteAccessRequestsFor } from '../access-requests/access-request-store.ts'
import { deleteCustomAttributesOf } from '../custom-attributes/custom-attribute-store.ts'
import type { StorageSizesRow } from '../projects/project-details.ts'

/** The visibilities that occur among the direct subgroups and projects of a group. */
export async function findVisibilitiesInside(
  q: Queries,
  args: { groupId: number },
): Promise<{ subgroups: Visibility[]; projects: Visibility[] }> {
  const rows = await q.all('groups.visibilities', args, (db, $) =>
    db
      .selectFrom('namespaces')
      .select(['visibility', sql<string>`'group'`.as('what')])
      .where('parentId', '=', $('groupId'))
      .where('deletedAt', 'is', null)
      .union(
        db
          .selectFrom('projects')
          .select(['visibility', sql<string>`'project'`.as('what')])
          .where('namespaceId', '=', $('groupId'))
          .where('deletedAt', 'is', null),
      ),
  )
  const of = (what: string) => rows.filter((row) => row.what === what).map((row) => row.visibility)
  return { subgroups: of('group'), projects: of('project') }
}

/** Lists a group and its descendants, nearest first; groups being deleted are left out. */
export function listGroupTree(
  q: Queries,
  args: { groupId: number },
): Promise<{ id: number; parentId: number | null; path: string; name: string }[]> {
  return q.all('groups.tree', args, (db, $) =>
    db
      .selectFrom('namespaceAncestors as a')
      .innerJoin('namespaces as n', 'n.id', 'a.descendantId')
      .where('a.ancestorId', '=', $('groupId'))
      .where('n.deletedAt', 'is', null)
      .orderBy('a.distance')
      .orderBy('n.id')
      .select(['n.id', 'n.parentId', 'n.path', 'n.name']),
  )
}

/**
 * Propagates the new full path and name of a group to its descendants; the group's own row has them
 * already. Two updates, regardless of the number of rows.
 * @throws UniqueViolationError if a full path below is taken.
 */
export async function renameBelow(
  tx: Transaction,
  args: { groupId: number; oldPath: string; newPath: string; oldName: string; newName: string },
): Promise<void> {
  const { groupId, oldPath, newPath, oldName, newName } = args
  const paths = {
    groupId,
    newPath,
    newPathLower: newPath.toLowerCase(),
    pathStart: oldPath.length + 1,
    newName,
    // Databases count characters, JavaScript counts UTF-16 code units.
    nameStart: [...oldName].length + 1,
  }
  await tx.run('groups.rename.groups', paths, (db, $) =>
    db
      .updateTable('namespaces')
      .set({
        fullPath: sql<string>`${$('newPath')} || substr(${sql.ref('fullPath')}, ${$('pathStart')})`,
        fullPathLower: sql<string>`${$('newPathLower')} || substr(${sql.ref('fullPathLower')}, ${$('pathStart')})`,
        fullName: sql<string>`${$('newName')} || substr(${sql.ref('fullName')}, ${$('nameStart')})`,
      })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('namespaceAncestors')
          .select('descendantId')
          .where('ancestorId', '=', $('groupId'))
          .where('distance', '>', 0),
      )
      .where('deletedAt', 'is', null),
  )
  const { newName: _, nameStart: __, ...projectPaths } = paths
  await renameProjectsBelow(tx, projectPaths)
  touchStamp(tx, 'groups', 'projects')
}

async function renameProjectsBelow(
  tx: Transaction,
  paths: { groupId: number; newPath: string; newPathLower: string; pathStart: number },
): Promise<void> {
  await tx.run('groups.rename.projects', paths, (db, $) =>
    db
      .updateTable('projects')
      .set({
        fullPath: sql<string>`${$('newPath')} || substr(${sql.ref('fullPath')}, ${$('pathStart')})`,
        fullPathLower: sql<string>`${$('newPathLower')} || substr(${sql.ref('fullPathLower')}, ${$('pathStart')})`,
      })
      .where('namespaceId', 'in', (eb) =>
        eb
          .selectFrom('namespaceAncestors')
          .select('descendantId')
          .where('ancestorId', '=', $('groupId')),
      )
      .where('deletedAt', 'is', null),
  )
}

/** Marks a group and its descendants as deleted, and frees their paths at once. */
export async function markGroupsDeleted(
  tx: Transaction,
  args: { ids: readonly number[]; now: number },
): Promise<void> {
  await tx.run('groups.mark-deleted', args, (db, $) =>
    db
      .updateTable('namespaces')
      .set({
        deletedAt: $('now'),
        path: deletedName,
        pathLower: deletedName,
        fullPath: deletedName,
        fullPathLower: deletedName,
      })
      .where(inList('namespaces.id', $('ids')))
      .where('deletedAt', 'is', null),
  )
  touchStamp(tx, 'groups')
}

/** Starts with a dash, which no user can choose as a path. */
const deletedName = sql<string>`'-deleted-' || ${sql.ref('id')}`

/** Ids of the projects in these namespaces that are not deleted. */
export async function listProjectIdsIn(
  q: Queries,
  args: { namespaceIds: readonly number[] },
): Promise<number[]> {
  const rows = await q.all('groups.project-ids', args, (db, $) =>
    db
      .selectFrom('projects')
      .select('id')
      .where(inList('projects.namespaceId', $('namespaceIds')))
      .where('deletedAt', 'is', null)
      .orderBy('id'),
  )
  return rows.map((row) => row.id)
}

/** Lists the remaining groups of a deleted tree, deepest first. */
export function listGroupsToDelete(
  q: Queries,
  args: { groupId: number },
): Promise<{ id: number; avatar: string | null }[]> {
  return q.all('groups.toDelete', args, (db, $) =>
    db
      .selectFrom('namespaceAncestors as a')
      .innerJoin('namespaces as n', 'n.id', 'a.descendantId')
      .where('a.ancestorId', '=', $('groupId'))
      .where('n.kind', '=', 'group')
      .where('n.deletedAt', 'is not', null)
      .orderBy('a.distance', 'desc')
      .select(['n.id', 'n.avatar']),
  )
}

/** Ids of the remaining projects in a deleted tree. */
export async function listProjectIdsToDelete(
  q: Queries,
  args: { groupId: number },
): Promise<number[]> {
  const rows = await q.all('groups.toDelete-projects', args, (db, $) =>
    db
      .selectFrom('namespaceAncestors as a')
      .innerJoin('namespaces as n', 'n.id', 'a.descendantId')
      .innerJoin('projects as p', 'p.namespaceId', 'n.id')
      .where('a.ancestorId', '=', $('groupId'))
      .where('n.deletedAt', 'is not', null)
      .where('p.deletedAt', 'is not', null)
      .orderBy('p.id')
      .select('p.id'),
  )
  return rows.map((row) => row.id)
}

/**
 * Deletes the rows of an emptied group: its own, and those that reference it without a foreign key.
 */
export async function deleteGroupRows(tx: Transaction, groupId: number): Promise<void> {
  await deleteCustomAttributesOf(tx, { ownerKind: 'group', ownerId: groupId })
  await tx.run('groups.members.delete', { groupId }, (db, $) =>
    db.deleteFrom('members').where('sourceKind', '=', 'group').where('sourceId', '=', $('groupId')),
  )
  await deleteAccessRequestsFor(tx, { sourceKind: 'group', sourceId: groupId })
  await tx.run('groups.delete', { groupId }, (db, $) =>
    db.deleteFrom('namespaces').where('id', '=', $('groupId')).where('deletedAt', 'is not', null),
  )
  touchStamp(tx, 'members', 'projects')
}

/** Total sizes in bytes of the projects in a group and its descendants. */
export interface GroupStatisticsRow extends StorageSizesRow {
  groupId: number
}

/** Lists the storage sizes of several groups; groups without projects are left out. */
export function listGroupStatistics(
  q: Queries,
  args: { groupIds: readonly number[] },
): Promise<GroupStatisticsRow[]> {
  return inBackground(q).all('groups.statistics', args, (db, $) =>
    db
      .selectFrom('namespaceAncestors as a')
      .innerJoin('projects as p', 'p.namespaceId', 'a.descendantId')
      .innerJoin('projectStatistics as s', 's.projectId', 'p.id')
      .where((eb) => inList(eb.ref('a.ancestorId'), $('groupIds')))
      .where('p.deletedAt', 'is', null)
      .groupBy('a.ancestorId')
      .select((eb) => [
        'a.ancestorId as groupId',
        total(eb.fn.sum('s.storageSize')).as('storageSize'),
        total(eb.fn.sum('s.repositorySize')).as('repositorySize'),
        total(eb.fn.sum('s.wikiSize')).as('wikiSize'),
        total(eb.fn.sum('s.lfsObjectsSize')).as('lfsObjectsSize'),
        total(eb.fn.sum('s.jobArtifactsSize')).as('jobArtifactsSize'),
        total(eb.fn.sum('s.packagesSize')).as('packagesSize'),
      ]),
  )
}

/** PostgreSQL returns the sum of 64-bit integers as a decimal. */
function total(sum: Parameters<typeof sql<number>>[1]) {
  return sql<number>`cast(${sum} as bigint)`
}
