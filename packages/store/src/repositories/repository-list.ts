import type { Queries } from '../queries.ts'
import { inList } from '../sql.ts'
import type { RepositoryRow } from './repository-store.ts'

/** The repositories of several projects, in no order; those of deleted ones are left out. */
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
