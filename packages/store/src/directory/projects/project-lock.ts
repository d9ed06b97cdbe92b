import type { Transaction } from '../../platform/queries/queries.ts'

/**
 * Makes transactions that lock the same project wait for each other; on SQLite there is one at a time
 * anyway.
 */
export async function lockProject(tx: Transaction, projectId: number): Promise<void> {
  if (tx.dialect === 'sqlite') return
  // The kind of row lock that inserts of rows with a foreign key to the project don't wait for.
  await tx.all('project.lock', { projectId }, (db, $) =>
    db
      .selectFrom('projects')
      .select('projects.id')
      .where('projects.id', '=', $('projectId'))
      .forNoKeyUpdate(),
  )
}
