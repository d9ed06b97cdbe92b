import { sql } from 'kysely'
import type { Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
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

/** Whether a project is in one of these groups or namespaces, or below them. */
export async function isProjectWithin(
  q: Queries,
  args: { projectId: number; namespaceIds: readonly number[] },
): Promise<boolean> {
  const row = await q.first('searchSources.within', args, (db, $) =>
    db
      .selectFrom('projects')
      .innerJoin('namespaceAncestors as around', 'around.descendantId', 'projects.namespaceId')
      .select('projects.id')
      .where('projects.id', '=', $('projectId'))
      .where((eb) => inList(eb.ref('around.ancestorId'), $('namespaceIds')))
      .limit(1),
  )
  return row !== undefined
}
