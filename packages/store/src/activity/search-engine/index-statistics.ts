import { sql } from 'kysely'
import { inBackground, type Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { SourceKey } from './source-store.ts'

/** How many repositories of projects and wikis are in the search index. */
export async function countIndexedRepositories(index: Queries): Promise<number> {
  const row = await inBackground(index).first('searchSources.count', {}, (db) =>
    db
      .selectFrom('searchSources')
      .where('revision', 'is not', null)
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return row?.total ?? 0
}

/** Repositories in the search index whose entries are replaced or changed at the moment, the first 100. */
export function listChangingSources(index: Queries): Promise<SourceKey[]> {
  return inBackground(index).all('searchSources.changing', {}, (db) =>
    db
      .selectFrom('searchSources')
      .select(['projectId', 'kind'])
      .where('revision', 'is not', null)
      .where('target', 'is not', null)
      .limit(100),
  )
}

/** The projects and namespaces that the index is limited to. */
export interface IndexSelection {
  projectIds: readonly number[]
  /** With the namespaces below them. */
  namespaceIds: readonly number[]
}

/** How many repositories of projects and wikis have something to index, among a selection if given. */
export async function countSearchableRepositories(
  q: Queries,
  selection?: IndexSelection,
): Promise<number> {
  const args = { projectIds: [], namespaceIds: [], ...selection }
  const shape = `searchSources.searchableCount|${selection === undefined ? 'all' : 'selected'}`
  const row = await inBackground(q).first(shape, args, (db, $) => {
    const searchable = db
      .selectFrom('projects')
      .leftJoin('projectStatistics', 'projectStatistics.projectId', 'projects.id')
      .select(
        sql<number | null>`sum(
          1 - "projects"."emptyRepo"
          + case when "projectStatistics"."wikiSize" > 0 then 1 else 0 end
        )`.as('total'),
      )
      .where('projects.deletedAt', 'is', null)
    if (selection === undefined) return searchable
    const within = db
      .selectFrom('namespaceAncestors')
      .where((eb) => inList(eb.ref('ancestorId'), $('namespaceIds')))
      .select('descendantId')
    return searchable.where((eb) =>
      eb.or([
        inList(eb.ref('projects.id'), $('projectIds')),
        eb('projects.namespaceId', 'in', within),
      ]),
    )
  })
  return row?.total ?? 0
}
