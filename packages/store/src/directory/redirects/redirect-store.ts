import { sql } from 'kysely'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'

/** What had a path before: a project, or a group or user. */
export type RedirectTarget = { projectId: number } | { namespaceId: number }

/** Remembers a full path that a project or namespace had until now, in place of what had it before. */
export async function putRedirect(
  tx: Transaction,
  fullPath: string,
  target: RedirectTarget,
): Promise<void> {
  const args = {
    path: fullPath.toLowerCase(),
    projectId: 'projectId' in target ? target.projectId : null,
    namespaceId: 'namespaceId' in target ? target.namespaceId : null,
  }
  await tx.run('redirects.put', args, (db, $) =>
    db
      .insertInto('redirects')
      .values({ path: $('path'), projectId: $('projectId'), namespaceId: $('namespaceId') })
      .onConflict((on) =>
        on.column('path').doUpdateSet({ projectId: $('projectId'), namespaceId: $('namespaceId') }),
      ),
  )
}

/** A path that something had before, and the full path that it has now. */
export interface Redirect {
  path: string
  fullPath: string
}

/** The longest of some lower-cased paths that nothing has any more, and that something existing had before. One query. */
export function findRedirect(
  q: Queries,
  args: { paths: readonly string[] },
): Promise<Redirect | undefined> {
  return q.first('redirects.find', args, (db, $) =>
    db
      .selectFrom('redirects as r')
      .leftJoin('projects as p', (on) =>
        on.onRef('p.id', '=', 'r.projectId').on('p.deletedAt', 'is', null),
      )
      .leftJoin('namespaces as n', (on) =>
        on.onRef('n.id', '=', 'r.namespaceId').on('n.deletedAt', 'is', null),
      )
      .where((eb) => inList(eb.ref('r.path'), $('paths')))
      .where((eb) => eb.or([eb('p.id', 'is not', null), eb('n.id', 'is not', null)]))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('projects as q')
              .select('q.id')
              .whereRef('q.fullPathLower', '=', 'r.path'),
          ),
        ),
      )
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('namespaces as m')
              .select('m.id')
              .whereRef('m.fullPathLower', '=', 'r.path'),
          ),
        ),
      )
      .orderBy(sql`length(${sql.ref('r.path')})`, 'desc')
      .limit(1)
      .select((eb) => [
        'r.path',
        eb.fn.coalesce('p.fullPath', 'n.fullPath').$notNull().as('fullPath'),
      ]),
  )
}
