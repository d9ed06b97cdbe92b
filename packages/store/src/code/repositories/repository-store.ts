import type { Queries } from '../../platform/queries/queries.ts'
import type { Flag } from '../../platform/schema/flag.ts'

/** The repository of a project as background jobs need it; a deleted project has none. */
export interface RepositoryRow {
  id: number
  repositoryStorage: string
  repositoryPath: string
  defaultBranch: string | null
  emptyRepo: Flag
  readmePath: string | null
}

export interface VersionedRepositoryRow extends RepositoryRow {
  /** Changes with every recorded push. */
  refsVersion: number
}

export function findRepository(
  q: Queries,
  projectId: number,
): Promise<VersionedRepositoryRow | undefined> {
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
        'projects.refsVersion',
      ])
      .where('projects.id', '=', $('projectId'))
      .where('projects.deletedAt', 'is', null),
  )
}

/** Whether a project, also one that is being deleted, has its repository at a path. No index. */
export async function hasProjectWithRepository(
  q: Queries,
  repositoryPath: string,
): Promise<boolean> {
  const row = await q.first('repositories.at', { repositoryPath }, (db, $) =>
    db
      .selectFrom('projects')
      .select('projects.id')
      .where('projects.repositoryPath', '=', $('repositoryPath'))
      .limit(1),
  )
  return row !== undefined
}
