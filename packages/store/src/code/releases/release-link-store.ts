import { listUncached, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { NewRow, Row } from '../../platform/schema/schema.ts'

/** A link of a release. */
export type ReleaseLinkRow = Row<'releaseLinks'>

/** A link to create. */
export type NewReleaseLinkRow = Omit<NewRow<'releaseLinks'>, 'id' | 'updatedAt'>

const columns = [
  'releaseLinks.id',
  'releaseLinks.releaseId',
  'releaseLinks.name',
  'releaseLinks.url',
  'releaseLinks.createdAt',
  'releaseLinks.updatedAt',
] as const

/** One page of the links of a release, newest first. At most two queries. */
export async function listReleaseLinks(
  q: Queries,
  releaseId: number,
  request: PageRequest,
): Promise<Page<ReleaseLinkRow>> {
  const args = { releaseId }
  return listUncached(q, request, {
    shape: 'release-links.list',
    args,
    key: 'releaseLinks.id',
    from: (db, $) =>
      db.selectFrom('releaseLinks').where('releaseLinks.releaseId', '=', $('releaseId')),
    order: (query) => query.orderBy('releaseLinks.id', 'desc'),
    columns: (query) => query.select(columns),
  })
}

/** All links of several releases, newest first. */
export function findReleaseLinks(
  q: Queries,
  releaseIds: readonly number[],
): Promise<ReleaseLinkRow[]> {
  return q.all('release-links.of', { releaseIds }, (db, $) =>
    db
      .selectFrom('releaseLinks')
      .select(columns)
      .where(inList('releaseLinks.releaseId', $('releaseIds')))
      .orderBy('releaseLinks.releaseId', 'desc')
      .orderBy('releaseLinks.id', 'desc'),
  )
}

/** One link of a release, or undefined. */
export function findReleaseLink(
  q: Queries,
  args: { releaseId: number; id: number },
): Promise<ReleaseLinkRow | undefined> {
  return q.first('release-links.find', args, (db, $) =>
    db
      .selectFrom('releaseLinks')
      .select(columns)
      .where('releaseLinks.id', '=', $('id'))
      .where('releaseLinks.releaseId', '=', $('releaseId')),
  )
}

/** Those of the fields whose value another link of the release has already. */
export async function findTakenLinkFields(
  q: Queries,
  args: { releaseId: number; name: string; url: string; exceptId: number },
): Promise<('name' | 'url')[]> {
  const rows = await q.all('release-links.taken', args, (db, $) =>
    db
      .selectFrom('releaseLinks')
      .select(['releaseLinks.name', 'releaseLinks.url'])
      .where('releaseLinks.releaseId', '=', $('releaseId'))
      .where('releaseLinks.id', '<>', $('exceptId'))
      .where((eb) =>
        eb.or([eb('releaseLinks.name', '=', $('name')), eb('releaseLinks.url', '=', $('url'))]),
      ),
  )
  return (['name', 'url'] as const).filter((field) =>
    rows.some((row) => row[field] === args[field]),
  )
}

/**
 * Adds a link.
 * @throws UniqueViolationError if the release has one with this name or URL.
 */
export async function insertReleaseLink(
  tx: Transaction,
  link: NewReleaseLinkRow,
): Promise<ReleaseLinkRow> {
  const row = await tx.first('release-links.insert', link, (db, $) =>
    db
      .insertInto('releaseLinks')
      .values({
        releaseId: $('releaseId'),
        name: $('name'),
        url: $('url'),
        createdAt: $('createdAt'),
        updatedAt: $('createdAt'),
      })
      .returning(columns),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

/**
 * Updates a link; undefined if it no longer exists.
 * @throws UniqueViolationError if the release has another one with this name or URL.
 */
export function updateReleaseLink(
  tx: Transaction,
  args: { id: number; name: string; url: string; updatedAt: number },
): Promise<ReleaseLinkRow | undefined> {
  return tx.first('release-links.update', args, (db, $) =>
    db
      .updateTable('releaseLinks')
      .set({ name: $('name'), url: $('url'), updatedAt: $('updatedAt') })
      .where('releaseLinks.id', '=', $('id'))
      .returning(columns),
  )
}

/** Deletes a link; false if it no longer exists. */
export async function deleteReleaseLink(tx: Transaction, id: number): Promise<boolean> {
  const { changes } = await tx.run('release-links.delete', { id }, (db, $) =>
    db.deleteFrom('releaseLinks').where('releaseLinks.id', '=', $('id')),
  )
  return changes > 0
}
