import { sql } from 'kysely'
import { inBackground, type Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'

/** What all projects take on the disk, in bytes. */
export interface StorageUse {
  repositories: number
  wikis: number
  /** Build artifacts, packages and large files. */
  files: number
}

/** Sums the sizes of all projects, as they were last refreshed. One query, in the background. */
export async function sumStorage(q: Queries): Promise<StorageUse> {
  const row = await inBackground(q).first('storage.sum', {}, (db) =>
    db
      .selectFrom('projectStatistics as s')
      .innerJoin('projects as p', 'p.id', 's.projectId')
      .where('p.deletedAt', 'is', null)
      .select((eb) => {
        const total = (column: 's.repositorySize' | 's.wikiSize' | 's.storageSize') =>
          eb.fn.coalesce(eb.fn.sum<number>(column), sql.lit(0))
        return [
          total('s.repositorySize').as('repositories'),
          total('s.wikiSize').as('wikis'),
          total('s.storageSize').as('all'),
        ]
      }),
  )
  const [repositories, wikis] = [Number(row?.repositories ?? 0), Number(row?.wikis ?? 0)]
  return { repositories, wikis, files: Number(row?.all ?? 0) - repositories - wikis }
}

/** The storage of projects in bytes, by id; projects that were never measured are left out. */
export async function listProjectSizes(
  q: Queries,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const rows = await q.all('storage.of-projects', { ids }, (db, $) =>
    db
      .selectFrom('projectStatistics')
      .where(inList('projectStatistics.projectId', $('ids')))
      .select(['projectStatistics.projectId', 'projectStatistics.storageSize']),
  )
  return new Map(rows.map(({ projectId, storageSize }) => [projectId, storageSize]))
}
