import { type Expression, sql } from 'kysely'
import { release } from '../../platform/dialect/segments/bytes.ts'
import { packTexts } from '../../platform/dialect/segments/indexed-texts.ts'
import { maxBuiltTexts } from '../../platform/dialect/segments/segment-build.ts'
import { keyLimit } from '../../platform/dialect/segments/text-keys.ts'
import type { Queries } from '../../platform/queries/queries.ts'
import { jsonText } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

type SegmentKind = Row<'searchSegments'>['holds']

/** A text in lower case, or the content of a file. */
interface AddedText {
  id: number
  text: string | Uint8Array
}

/** Code units, or bytes, from which a segment gets no further text. */
const maxBuiltUnits = 8 * 1024 * 1024
/** What a text takes besides its code units. */
const textSize = 1000

/** Whether segments of a kind have signatures. */
export function isSigned(kind: SegmentKind): boolean {
  return kind === 'texts'
}

/** Adds texts in one segment or several. The contents of files are empty afterwards. */
export async function addSegments(
  tx: Queries,
  kind: SegmentKind,
  texts: readonly AddedText[],
): Promise<void> {
  let part: AddedText[] = []
  let units = 0
  for (const added of texts) {
    part.push(added)
    units += added.text.length
    if (part.length < maxBuiltTexts && units < maxBuiltUnits) continue
    await addSegment(tx, kind, part)
    part = []
    units = 0
  }
  if (part.length > 0) await addSegment(tx, kind, part)
}

async function addSegment(
  tx: Queries,
  kind: SegmentKind,
  added: readonly AddedText[],
): Promise<void> {
  const ids = added.map(({ id }) => id)
  const packed = packTexts(added.map(({ text }) => text))
  for (const { text } of added) if (typeof text !== 'string') release(text)
  const values = {
    holds: kind,
    size: added.reduce((sum, { text }) => sum + text.length + textSize, 0),
    count: added.length,
    firstId: ids.reduce((a, b) => Math.min(a, b)),
    lastId: ids.reduce((a, b) => Math.max(a, b)),
    ids: jsonText(ids),
    packed,
    isSigned: isSigned(kind),
  }
  const segment = await tx.first('searchSegments.add', values, (db, $) =>
    db
      .insertInto('searchSegments')
      .values({
        holds: $('holds'),
        size: $('size'),
        count: $('count'),
        firstId: $('firstId'),
        lastId: $('lastId'),
        texts: sql`search_built_texts(${$('packed')}, ${$('ids')}, ${$('isSigned')})`,
      })
      .returning('id'),
  )
  release(packed)
  await tx.run('searchPages.add', { segment: segment?.id ?? 0 }, (_, $) =>
    insertPages($('segment'), sql`search_built_pages()`),
  )
}

/** Adds the pages of a segment, as functions return them. */
export function insertPages(segment: number, pages: Expression<unknown>) {
  return sql`insert into "searchPages" ("id", "page")
    select ${firstPage(segment)} + "key", "page" from search_split(${pages})`
}

/** The lowest id that a page of a segment can have. */
export function firstPage(segment: number | Expression<unknown>): Expression<number> {
  return sql<number>`(${segment} * ${sql.lit(keyLimit)})`
}

/**
 * The id of the page that has a key of the segment whose pages start at `first`, or where it would
 * be.
 */
export function pageWith(first: Expression<number>, key: Expression<unknown> | number) {
  return sql`coalesce((
    select q."id" from "searchPages" as q
    where q."id" <= ${first} + ${key} and q."id" >= ${first}
    order by q."id" desc limit 1
  ), ${first} + ${key})`
}

/**
 * Deletes the texts of these ids from their segments, which keep their keys until they are merged.
 * Ids of other kinds must not be among them.
 */
export async function deleteFromSegments(
  tx: Queries,
  kind: SegmentKind,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  const args = {
    kind,
    ids: jsonText(ids),
    firstId: ids.reduce((a, b) => Math.min(a, b)),
    lastId: ids.reduce((a, b) => Math.max(a, b)),
  }
  const deletions = await tx.all(
    'searchSegments.deletions',
    args,
    (_, $) => sql<{ id: number; deleted: Uint8Array | null }>`
      select "id", search_deleted("texts", "deleted", ${$('ids')}) as "deleted"
      from "searchSegments"
      where "holds" = ${$('kind')} and "firstId" <= ${$('lastId')} and "lastId" >= ${$('firstId')}`,
  )
  for (const deletion of deletions) {
    if (deletion.deleted === null) continue
    await tx.run('searchSegments.delete', deletion, (db, $) =>
      db
        .updateTable('searchSegments')
        .set({ deleted: $('deleted') })
        .where('id', '=', $('id')),
    )
  }
}
