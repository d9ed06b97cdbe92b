import type { Queries, Transaction } from '../queries.ts'
import type { Flag } from '../schema/flag.ts'

/** What a push changes in the row of its project. */
export interface PushedProject {
  projectId: number
  /** The branch that a first push makes the default one; null to leave it as it is. */
  defaultBranch: string | null
  emptyRepo: Flag
  readmePath: string | null
  /** Milliseconds since the epoch. */
  now: number
}

/** Writes what a push changed in its project. */
export async function savePushedProject(tx: Transaction, change: PushedProject): Promise<void> {
  const { defaultBranch, ...rest } = change
  await tx.run('repositories.pushed', rest, (db, $) =>
    db
      .updateTable('projects')
      .set({
        emptyRepo: $('emptyRepo'),
        readmePath: $('readmePath'),
        lastActivityAt: $('now'),
      })
      .where('projects.id', '=', $('projectId')),
  )
  if (defaultBranch === null) return
  const { projectId } = change
  await tx.run('repositories.defaultBranch', { projectId, defaultBranch }, (db, $) =>
    db
      .updateTable('projects')
      .set({ defaultBranch: $('defaultBranch') })
      .where('projects.id', '=', $('projectId')),
  )
}

/** What background work needs to know of a project's repository; a deleted project has none. */
export interface RepositoryRow {
  id: number
  repositoryStorage: string
  repositoryPath: string
  defaultBranch: string | null
  emptyRepo: Flag
  readmePath: string | null
}

export function findRepository(q: Queries, projectId: number): Promise<RepositoryRow | undefined> {
  return q.first('repositories.find', { projectId }, (db, $) =>
    db
      .selectFrom('projects')
      .select([
        'projects.id',
        'projects.repositoryStorage',
        'projects.repositoryPath',
        'projects.defaultBranch',
        'projects.emptyRepo',
        'projects.readmePath',
      ])
      .where('projects.id', '=', $('projectId'))
      .where('projects.deletedAt', 'is', null),
  )
}
