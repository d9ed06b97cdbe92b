import { sql } from 'kysely'
import type { Transaction } from '../queries.ts'

/** What stands behind the path of a project in a reference to something of it. */
const projectMarks = ['#', '!', '@', '$', '%', '~']

/** Behind the path of a group: of what lies below it, or of its epics. */
const groupMarks = ['/', '&']

/**
 * Gives the remarks that tell of something of a project its new full path: the old one leads nowhere, and
 * would still tell where the project was. To be called before the project has it.
 */
export async function renameProjectInRemarks(
  tx: Transaction,
  { projectId, newPath }: { projectId: number; newPath: string },
): Promise<void> {
  const oldPath = await findProjectPath(tx, projectId)
  if (oldPath === undefined || oldPath === newPath) return
  await tx.run('remark-paths.project', { projectId, oldPath, newPath }, (db, $) =>
    db
      .updateTable('notes')
      .set({ body: renamed(projectMarks, { from: $('oldPath'), to: $('newPath') }) })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('remarkSources')
          .where('sourceProjectId', '=', $('projectId'))
          .select('noteId'),
      ),
  )
}

async function findProjectPath(tx: Transaction, projectId: number): Promise<string | undefined> {
  const row = await tx.first('remark-paths.old', { projectId }, (db, $) =>
    db.selectFrom('projects').where('id', '=', $('projectId')).select('fullPath'),
  )
  return row?.fullPath
}

/** As `renameProjectInRemarks`, for all projects in a namespace and below it, and for the epics there. */
export async function renameNamespaceInRemarks(
  tx: Transaction,
  { namespaceId, oldPath, newPath }: { namespaceId: number; oldPath: string; newPath: string },
): Promise<void> {
  if (oldPath === newPath) return
  await tx.run('remark-paths.namespace', { namespaceId, oldPath, newPath }, (db, $) =>
    db
      .updateTable('notes')
      .set({ body: renamed(groupMarks, { from: $('oldPath'), to: $('newPath') }) })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('namespaceAncestors as a')
          .innerJoin('projects as p', 'p.namespaceId', 'a.descendantId')
          .innerJoin('remarkSources as s', 's.sourceProjectId', 'p.id')
          .where('a.ancestorId', '=', $('namespaceId'))
          .select('s.noteId')
          .unionAll(
            eb
              .selectFrom('namespaceAncestors as a')
              .innerJoin('epics as e', 'e.groupId', 'a.descendantId')
              .innerJoin('remarkSources as s', (join) =>
                join
                  .on('s.sourceType', '=', 'epic')
                  .on('s.sourceKey', '=', sql<string>`cast(${sql.ref('e.id')} as text)`),
              )
              .where('a.ancestorId', '=', $('namespaceId'))
              .select('s.noteId'),
          ),
      ),
  )
}

/**
 * The body with one path in place of another before each of the marks. The blank before it keeps longer
 * paths that end alike: `a/` is also in `data/`.
 */
function renamed(marks: readonly string[], { from, to }: { from: string; to: string }) {
  const around = (path: string, mark: string) =>
    sql<string>`' ' || cast(${path} as text) || ${sql.lit(mark)}`
  return marks.reduce(
    (body, mark) => sql<string>`replace(${body}, ${around(from, mark)}, ${around(to, mark)})`,
    sql<string>`${sql.ref('body')}`,
  )
}
