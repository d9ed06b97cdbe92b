import type { Queries, Transaction } from '../../platform/queries/queries.ts'

/** Where a project's repository is imported from. */
export interface ProjectImport {
  /** An http or https URL, without credentials. */
  url: string
  username: string
  password: string
}

/** `import_status` of a project; `none` for one that is not imported. */
export type ImportStatus = 'none' | 'scheduled' | 'started' | 'finished' | 'failed'

/** Stores what the job of an import needs, in place of an earlier import's. */
export async function saveProjectImport(
  tx: Transaction,
  args: ProjectImport & { projectId: number },
): Promise<void> {
  await tx.run('imports.save', args, (db, $) =>
    db
      .insertInto('projectImports')
      .values({
        projectId: $('projectId'),
        url: $('url'),
        username: $('username'),
        password: $('password'),
      })
      .onConflict((conflict) =>
        conflict.column('projectId').doUpdateSet((eb) => ({
          url: eb.ref('excluded.url'),
          username: eb.ref('excluded.username'),
          password: eb.ref('excluded.password'),
        })),
      ),
  )
}

/** An import that has not ended, with the user who created the project. */
export interface PendingImport extends ProjectImport {
  creatorId: number | null
}

/** The import of a project that has not ended; undefined for none, or one that is being deleted. */
export function findProjectImport(
  q: Queries,
  projectId: number,
): Promise<PendingImport | undefined> {
  return q.first('imports.find', { projectId }, (db, $) =>
    db
      .selectFrom('projectImports as i')
      .innerJoin('projects as p', 'p.id', 'i.projectId')
      .select(['i.url', 'i.username', 'i.password', 'p.creatorId'])
      .where('i.projectId', '=', $('projectId'))
      .where('p.deletedAt', 'is', null),
  )
}

/** Sets `import_status` and `import_error`; the credentials of an import that ended are deleted. */
export async function setImportStatus(
  tx: Transaction,
  args: { projectId: number; status: ImportStatus; error: string | null },
): Promise<void> {
  await tx.run('imports.status', args, (db, $) =>
    db
      .updateTable('projects')
      .set({ importStatus: $('status'), importError: $('error') })
      .where('projects.id', '=', $('projectId')),
  )
  if (args.status !== 'finished' && args.status !== 'failed') return
  await tx.run('imports.delete', { projectId: args.projectId }, (db, $) =>
    db.deleteFrom('projectImports').where('projectId', '=', $('projectId')),
  )
}
