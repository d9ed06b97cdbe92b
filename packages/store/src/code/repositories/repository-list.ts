import type { Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { RepositoryRow } from './repository-store.ts'

/**
 * Lists the repositories of several projects, in no particular order; deleted projects are left
 * out.
 */
export function findRepositories(q: Queries, ids: readonly number[]): Promise<RepositoryRow[]> {
  return q.all('repositories.several', { ids }, (db, $) =>
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
      .where(inList('projects.id', $('ids')))
      .where('projects.deletedAt', 'is', null),
  )
}
