import { sql } from 'kysely'
import type { Queries } from '../../platform/queries/queries.ts'
import type { Flag } from '../../platform/schema/flag.ts'

/** A project, and what of it can be searched. */
export interface SearchableProject {
  id: number
  hasCode: Flag
  hasWiki: Flag
}

/** The next projects after an id, in the order of their ids. */
export function listSearchableProjects(
  q: Queries,
  args: { after: number; limit: number },
): Promise<SearchableProject[]> {
  return q.all('searchSources.searchable', args, (db, $) =>
    db
      .selectFrom('projects')
      .leftJoin('projectStatistics', 'projectStatistics.projectId', 'projects.id')
      .select([
        'projects.id',
        sql<Flag>`1 - "projects"."emptyRepo"`.as('hasCode'),
        sql<Flag>`case when "projectStatistics"."wikiSize" > 0 then 1 else 0 end`.as('hasWiki'),
      ])
      .where('projects.id', '>', $('after'))
      .where('projects.deletedAt', 'is', null)
      .orderBy('projects.id')
      .limit($('limit')),
  )
}
