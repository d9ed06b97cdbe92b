import type { Queries } from '../../platform/queries/queries.ts'

/** Projects above one that are followed; forks of forks are never that deep. */
const maxDepth = 100

/**
 * Whether two projects descend from one another, or from the same project; deleted projects end the
 * line. One query.
 */
export async function shareForkNetwork(
  q: Queries,
  projects: { firstId: number; secondId: number },
): Promise<boolean> {
  if (projects.firstId === projects.secondId) return true
  const args = { ...projects, maxDepth }
  const lines = await q.all('forks.lines', args, (db, $) =>
    db
      .withRecursive('line(start, id, depth)', (cte) =>
        cte
          .selectFrom('projects')
          .where((eb) =>
            eb.or([eb('projects.id', '=', $('firstId')), eb('projects.id', '=', $('secondId'))]),
          )
          .select((eb) => [
            'projects.id as start',
            'projects.id as id',
            eb.cast<number>(eb.lit(0), 'integer').as('depth'),
          ])
          .unionAll((eb) =>
            eb
              .selectFrom('line')
              .innerJoin('projects', 'projects.id', 'line.id')
              .where('projects.forkedFromProjectId', 'is not', null)
              .where('line.depth', '<', $('maxDepth'))
              .select((of) => [
                'line.start as start',
                of.ref('projects.forkedFromProjectId').$notNull().as('id'),
                of('line.depth', '+', 1).as('depth'),
              ]),
          ),
      )
      .selectFrom('line')
      .select(['line.start', 'line.id']),
  )
  const first = new Set(lines.filter((at) => at.start === projects.firstId).map(({ id }) => id))
  return lines.some((at) => at.start === projects.secondId && first.has(at.id))
}
