import type { Transaction } from '../../platform/queries/queries.ts'
import { lockNamespace } from '../namespaces/namespace-store.ts'

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

/**
 * `lockProject`, or the same for a group: how many there are of something that is only added after this
 * stays true until the commit.
 */
export async function lockProjectOrGroup(
  tx: Transaction,
  { projectId, groupId }: { projectId?: number | undefined; groupId?: number | undefined },
): Promise<void> {
  if (projectId !== undefined) await lockProject(tx, projectId)
  if (groupId !== undefined && tx.dialect !== 'sqlite') await lockNamespace(tx, groupId)
}
