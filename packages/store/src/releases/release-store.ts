import type { Page, PageRequest } from '../page.ts'
import { selectPage } from '../page.ts'
import type { Queries, Transaction } from '../queries.ts'
import type { NewRow, Row } from '../schema/schema.ts'
import { inList } from '../sql.ts'

/** A release as it is read. */
export type ReleaseRow = Row<'releases'>

/** A release to be made. */
export type NewRelease = Omit<NewRow<'releases'>, 'id' | 'updatedAt'>

/** What may change of a release. */
export interface ReleaseChanges {
  name: string
  description: string | null
  /** Milliseconds since the epoch, as `updatedAt`. */
  releasedAt: number
  updatedAt: number
}

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

/** One page of the releases of a project, newest first. Two queries. */
export async function listReleases(
  q: Queries,
  projectId: number,
  request: PageRequest,
): Promise<Page<ReleaseRow>> {
  const args = { projectId }
  const items = await selectPage(q, request, {
    shape: 'releases.list',
    args,
    key: 'releases.id',
    from: (db, $) => db.selectFrom('releases').where('releases.projectId', '=', $('projectId')),
    order: (query) => query.orderBy('releases.createdAt', 'desc').orderBy('releases.id', 'desc'),
    columns: (query) => query.select(columns),
  })
  const counted = await q.first('releases.count', args, (db, $) =>
    db
      .selectFrom('releases')
      .where('releases.projectId', '=', $('projectId'))
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return { items, total: counted?.total ?? 0, ...request }
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

/** What tags show of their releases. */
export type TagReleaseRow = Pick<ReleaseRow, 'tag' | 'description'>

/** The releases of those of the tags that have one. */
export function findTagReleases(
  q: Queries,
  args: { projectId: number; tags: readonly string[] },
): Promise<TagReleaseRow[]> {
  return q.all('releases.of-tags', args, (db, $) =>
    db
      .selectFrom('releases')
      .select(['releases.tag', 'releases.description'])
      .where('releases.projectId', '=', $('projectId'))
      .where(inList('releases.tag', $('tags'))),
  )
}

/**
 * Adds a release.
 * @throws UniqueViolationError when the tag has one already.
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
  if (row === undefined) throw new TypeError('An insert answered no row')
  return row
}

/** Changes a release; undefined when it is gone. */
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

/** Removes the releases of tags that are gone, their links too; answers how many went. */
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

/** Gives the releases that one user wrote to another. */
export async function moveReleases(
  tx: Transaction,
  args: { from: number; to: number },
): Promise<void> {
  await tx.run('releases.move', args, (db, $) =>
    db
      .updateTable('releases')
      .set({ authorId: $('to') })
      .where('releases.authorId', '=', $('from')),
  )
}
