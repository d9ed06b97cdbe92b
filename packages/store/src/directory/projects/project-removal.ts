import { sql } from 'kysely'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { deleteProjectStamps, touchStamp } from '../../platform/queries/stamps.ts'
import { deleteAccessRequestsFor } from '../access-requests/access-request-store.ts'
import { deleteCustomAttributesOf } from '../custom-attributes/custom-attribute-store.ts'
import { discountFork } from './project-forks.ts'

/** A project that is being deleted, or a draft that was never published. */
export interface ProjectToDelete {
  id: number
  repositoryStorage: string
  avatar: string | null
}

/** The project, if it is marked as deleted or is a draft. */
export function findProjectToDelete(
  q: Queries,
  args: { projectId: number },
): Promise<ProjectToDelete | undefined> {
  return q.first('projects.toDelete', args, (db, $) =>
    db
      .selectFrom('projects')
      .select(['id', 'repositoryStorage', 'avatar'])
      .where('id', '=', $('projectId'))
      .where('deletedAt', 'is not', null),
  )
}

/**
 * Marks projects as deleted and frees their names at once; their contents are deleted later. Their
 * forks lose the fork relation, and their fork sources count one fork less.
 */
export async function markProjectsDeleted(
  tx: Transaction,
  args: { ids: readonly number[]; now: number },
): Promise<void> {
  if (args.ids.length === 0) return
  await decrementForks(tx, args)
  await tx.run('projects.mark-deleted', args, (db, $) =>
    db
      .updateTable('projects')
      .set({
        deletedAt: $('now'),
        name: deletedName,
        nameLower: deletedName,
        path: deletedName,
        pathLower: deletedName,
        fullPath: deletedName,
        fullPathLower: deletedName,
      })
      .where(inList('projects.id', $('ids')))
      .where('deletedAt', 'is', null),
  )
  await tx.run('projects.unfork', { ids: args.ids }, (db, $) =>
    db
      .updateTable('projects')
      .set({ forkedFromProjectId: null })
      .where(inList('projects.forkedFromProjectId', $('ids'))),
  )
  touchStamp(tx, 'projects')
}

/** Starts with a dash, which no user can choose as a path. */
const deletedName = sql<string>`'-deleted-' || ${sql.ref('id')}`

async function decrementForks(tx: Transaction, { ids }: { ids: readonly number[] }): Promise<void> {
  const forks = await tx.all('projects.fork-sources', { ids }, (db, $) =>
    db
      .selectFrom('projects')
      .select('forkedFromProjectId as sourceId')
      .where(inList('projects.id', $('ids')))
      .where('deletedAt', 'is', null)
      .where('forkedFromProjectId', 'is not', null),
  )
  for (const { sourceId } of forks) {
    if (sourceId !== null) await discountFork(tx, { sourceId })
  }
}

/**
 * Deletes the rows of a marked project: its own, and those that reference it without a foreign key.
 */
export async function deleteProjectRows(tx: Transaction, projectId: number): Promise<void> {
  await deleteCustomAttributesOf(tx, { ownerKind: 'project', ownerId: projectId })
  await tx.run('projects.members.delete', { projectId }, (db, $) =>
    db
      .deleteFrom('members')
      .where('sourceKind', '=', 'project')
      .where('sourceId', '=', $('projectId')),
  )
  await deleteAccessRequestsFor(tx, { sourceKind: 'project', sourceId: projectId })
  await tx.run('projects.delete', { projectId }, (db, $) =>
    db.deleteFrom('projects').where('id', '=', $('projectId')).where('deletedAt', 'is not', null),
  )
  await deleteProjectStamps(tx, projectId)
  // Those of members and authors; its own lists have gone.
  touchStamp(tx, 'members', 'events:0', 'snippets:0')
}
