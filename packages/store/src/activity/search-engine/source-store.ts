import { StoreError } from '../../platform/errors.ts'
import type { Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** A repository in the search index. */
export type SearchSource = Row<'searchSources'>
/** What of a project is in the search index: its repository or that of its wiki. */
export type SearchSourceKind = SearchSource['kind']

/** What names a repository in the search index. */
export interface SourceKey {
  projectId: number
  kind: SearchSourceKind
}

export function findSearchSource(q: Queries, key: SourceKey): Promise<SearchSource | undefined> {
  return q.first('searchSources.find', key, (db, $) =>
    db
      .selectFrom('searchSources')
      .selectAll()
      .where('projectId', '=', $('projectId'))
      .where('kind', '=', $('kind')),
  )
}

/** Adds a repository of which nothing is indexed, unless it is there; returns it. */
export async function ensureSearchSource(tx: Queries, key: SourceKey): Promise<SearchSource> {
  await tx.run('searchSources.add', key, (db, $) =>
    db
      .insertInto('searchSources')
      .values({ projectId: $('projectId'), kind: $('kind') })
      .onConflict((conflict) => conflict.columns(['projectId', 'kind']).doNothing()),
  )
  const source = await findSearchSource(tx, key)
  if (source === undefined) throw new StoreError('reference', 'A search source is missing')
  return source
}

/** What a transaction that writes to a source makes of it. */
export type SearchSourceStep = Pick<SearchSource, 'id' | 'version' | 'revision' | 'target'>

/**
 * Locks a source that has the expected version for the rest of the transaction; returns its next
 * version.
 * @throws StoreError `busy` if another transaction wrote to it since.
 */
export async function advanceSearchSource(tx: Queries, step: SearchSourceStep): Promise<number> {
  const { changes } = await tx.run('searchSources.advance', step, (db, $) =>
    db
      .updateTable('searchSources')
      .set((eb) => ({
        revision: $('revision'),
        target: $('target'),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', $('id'))
      .where('version', '=', $('version')),
  )
  if (changes === 0) throw new StoreError('busy', 'Another process indexes the repository')
  return step.version + 1
}

/** Deletes a source that has no entries any more. */
export async function deleteSearchSource(tx: Queries, id: number): Promise<void> {
  await tx.run('searchSources.deleteBlocks', { id }, (db, $) =>
    db.deleteFrom('searchBlocks').where('sourceId', '=', $('id')),
  )
  await tx.run('searchSources.delete', { id }, (db, $) =>
    db.deleteFrom('searchSources').where('id', '=', $('id')),
  )
}

/** The next projects after an id, in the order of their ids, that sources of the index belong to. */
export async function listIndexedProjectIds(
  q: Queries,
  args: { after: number; limit: number },
): Promise<number[]> {
  const rows = await q.all('searchSources.projects', args, (db, $) =>
    db
      .selectFrom('searchSources')
      .select('projectId')
      .distinct()
      .where('projectId', '>', $('after'))
      .orderBy('projectId')
      .limit($('limit')),
  )
  return rows.map(({ projectId }) => projectId)
}

/** Of these projects, those that exist and are not being deleted. */
export async function findExistingProjectIds(
  q: Queries,
  ids: readonly number[],
): Promise<Set<number>> {
  const rows = await q.all('searchSources.existing', { ids }, (db, $) =>
    db
      .selectFrom('projects')
      .select('id')
      .where(inList('projects.id', $('ids')))
      .where('deletedAt', 'is', null),
  )
  return new Set(rows.map(({ id }) => id))
}
