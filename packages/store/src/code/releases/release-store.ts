import { type ListedDescription, listedColumns } from '../../platform/queries/listed-text.ts'
import { listUncached, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { NewRow, Row } from '../../platform/schema/schema.ts'

/** A release. */
export type ReleaseRow = Row<'releases'>

/** A release to create. */
export type NewRelease = Omit<NewRow<'releases'>, 'id' | 'updatedAt'>

/** The settable columns of a release. */
export interface ReleaseChanges {
  name: string
  description: string | null
  /** Milliseconds since the epoch, as `updatedAt`. */
  releasedAt: number
  updatedAt: number
}

/** A release in a list. */
export type ListedRelease = ReleaseRow & ListedDescription

const columns = [
  'releases.id',
  'releases.projectId',
  'releases.tag',
  'releases.name',
  'releases.description',
  'releases.authorId',
  'releases.createdAt',
  'releases.updatedAt',
  'releases.releasedAt',
] as const

/** One page of the releases of a project, newest first. At most two queries. */
export async function listReleases(
  q: Queries,
  projectId: number,
  request: PageRequest,
): Promise<Page<ListedRelease>> {
  const args = { projectId }
  return listUncached(q, request, {
    shape: 'releases.list',
    args,
    key: 'releases.id',
    from: (db, $) => db.selectFrom('releases').where('releases.projectId', '=', $('projectId')),
    order: (query) => query.orderBy('releases.createdAt', 'desc').orderBy('releases.id', 'desc'),
    columns: (query) => query.select(listedColumns('releases', columns)),
  })
}

/** The whole description of a release; null if it has none, or was deleted. One query. */
export async function findReleaseDescription(q: Queries, id: number): Promise<string | null> {
  const row = await q.first('releases.description', { id }, (db, $) =>
    db.selectFrom('releases').select('description').where('id', '=', $('id')),
  )
  return row?.description ?? null
}

/** The release of a tag, or undefined. */
export function findRelease(
  q: Queries,
  args: { projectId: number; tag: string },
): Promise<ReleaseRow | undefined> {
  return q.first('releases.find', args, (db, $) =>
    db
      .selectFrom('releases')
      .select(columns)
      .where('releases.projectId', '=', $('projectId'))
      .where('releases.tag', '=', $('tag')),
  )
}

/** The release of a tag as the tag shows it. */
export type TagReleaseRow = Pick<ListedRelease, 'id' | 'tag' | 'description' | 'descriptionBytes'>

const tagReleaseColumns = ['releases.id', 'releases.tag', 'releases.description'] as const

/** Lists the releases of those tags that have one. */
export function findTagReleases(
  q: Queries,
  args: { projectId: number; tags: readonly string[] },
): Promise<TagReleaseRow[]> {
  return q.all('releases.of-tags', args, (db, $) =>
    db
      .selectFrom('releases')
      .select(listedColumns('releases', tagReleaseColumns))
      .where('releases.projectId', '=', $('projectId'))
      .where(inList('releases.tag', $('tags'))),
  )
}

/**
 * Adds a release.
 * @throws UniqueViolationError if the tag has one already.
 */
export async function insertRelease(tx: Transaction, release: NewRelease): Promise<ReleaseRow> {
  const row = await tx.first('releases.insert', release, (db, $) =>
    db
      .insertInto('releases')
      .values({
        projectId: $('projectId'),
        tag: $('tag'),
        name: $('name'),
        description: $('description'),
        authorId: $('authorId'),
        createdAt: $('createdAt'),
        updatedAt: $('createdAt'),
        releasedAt: $('releasedAt'),
      })
      .returning(columns),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

/** Updates a release; undefined if it no longer exists. */
export function updateRelease(
  tx: Transaction,
  id: number,
  changes: ReleaseChanges,
): Promise<ReleaseRow | undefined> {
  return tx.first('releases.update', { id, ...changes }, (db, $) =>
    db
      .updateTable('releases')
      .set({
        name: $('name'),
        description: $('description'),
        releasedAt: $('releasedAt'),
        updatedAt: $('updatedAt'),
      })
      .where('releases.id', '=', $('id'))
      .returning(columns),
  )
}

/** Deletes the releases of deleted tags with their links; returns how many. */
export async function deleteReleases(
  tx: Transaction,
  args: { projectId: number; tags: readonly string[] },
): Promise<number> {
  if (args.tags.length === 0) return 0
  const { changes } = await tx.run('releases.delete', args, (db, $) =>
    db
      .deleteFrom('releases')
      .where('releases.projectId', '=', $('projectId'))
      .where(inList('releases.tag', $('tags'))),
  )
  return changes
}
