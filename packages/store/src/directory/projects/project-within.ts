import type { Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'

/** Whether a project is in one of these groups or namespaces, or below them. */
export async function isProjectWithin(
  q: Queries,
  args: { projectId: number; namespaceIds: readonly number[] },
): Promise<boolean> {
  const row = await q.first('projects.within', args, (db, $) =>
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
