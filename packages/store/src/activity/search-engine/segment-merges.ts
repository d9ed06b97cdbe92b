import { type Expression, sql } from 'kysely'
import { keyLimit } from '../../platform/dialect/segments/text-keys.ts'
import type { Param, Queries, SearchIndex } from '../../platform/queries/queries.ts'
import { inList, jsonText } from '../../platform/queries/sql.ts'
import { firstPage, insertPages, pageWith } from './segment-store.ts'

/** What is known of a segment before it is merged. */
export interface SegmentSize {
  id: number
  holds: 'messages' | 'paths' | 'texts'
  size: number
  /** Texts, deleted ones too. */
  count: number
  deleted: number
}

/** Segments of this size are not merged any more, unless half of their texts are deleted. */
const fullSize = 48 * 1024 * 1024
/** A transaction must not take so long that other processes give up. */
const maxMergedSize = 2 * fullSize
/** Where segments of about the same size end: as many of them are merged. */
const sizeClasses = [64 * 1024, 1024 * 1024, 16 * 1024 * 1024]
const mergedAtOnce = 16
/** Pages of a segment that are merged by one statement. */
const pagesAtOnce = 64

/** Chooses segments that are merged next; none is empty. */
export function chooseMerge(segments: readonly SegmentSize[]): SegmentSize[] {
  const worn = segments.find(({ count, deleted }) => 2 * deleted >= count)
  if (worn !== undefined) return [worn]
  const small = segments.filter(({ size }) => size < fullSize)
  const classes = Map.groupBy(small, ({ holds, size }) => {
    const place = sizeClasses.findIndex((end) => size < end)
    return `${holds} ${place}`
  })
  for (const similar of classes.values()) {
    const total = similar.reduce((sum, { size }) => sum + size, 0)
    if (similar.length < mergedAtOnce && total < fullSize) continue
    const chosen: SegmentSize[] = []
    let size = 0
    for (const segment of similar) {
      if (chosen.length === mergedAtOnce || size + segment.size > maxMergedSize) break
      chosen.push(segment)
      size += segment.size
    }
    if (chosen.length > 1) return chosen
  }
  return []
}

/**
 * Merges segments of the search index on SQLite until there are few, in transactions of their own:
 * the fewer there are, the faster is a search.
 */
export async function mergeSegments({ reads, transaction }: SearchIndex): Promise<void> {
  if (reads.dialect !== 'sqlite') return
  // Without them, after a power failure, the index says the same.
  for (let isMerged = true; isMerged; ) isMerged = await transaction(mergeOnce, 'process')
}

/** Merges some segments; false if there is nothing to merge. */
async function mergeOnce(tx: Queries): Promise<boolean> {
  const chosen = chooseMerge(
    await tx.all(
      'searchSegments.sizes',
      {},
      () => sql<SegmentSize>`
        select "id", "holds", "size", "count", search_bits("deleted") as "deleted"
        from "searchSegments" order by "id"`,
    ),
  )
  if (chosen.length === 0) return false
  const ids = jsonText(chosen.map(({ id }) => id))
  if (chosen.some(({ count, deleted }) => deleted < count)) await addMerged(tx, chosen, ids)
  await dropSegments(tx, chosen)
  return true
}

async function addMerged(tx: Queries, chosen: readonly SegmentSize[], ids: string): Promise<void> {
  const kept = chosen.map(({ size, count, deleted }) => [
    (size * (count - deleted)) / count,
    count - deleted,
  ])
  const total = (column: number) => kept.reduce((sum, row) => sum + (row[column] ?? 0), 0)
  const values = { ids, size: Math.ceil(total(0)), count: total(1) }
  const merged = await tx.first(
    'searchSegments.merge',
    values,
    (_, $) => sql<{ id: number }>`
      insert into "searchSegments" ("holds", "size", "count", "firstId", "lastId", "texts")
      select min("holds"), ${$('size')}, ${$('count')}, min("firstId"), max("lastId"),
        search_merged_texts("id", "texts", "deleted", null, 0, 0)
      from "searchSegments" where "id" in (select value from json_each(${$('ids')}))
      returning "id"`,
  )
  const segment = merged?.id ?? 0
  const ends = await rangeEnds(tx, chosen)
  for (const [index, to] of ends.entries()) {
    await mergeRange(tx, { segment, ids, from: ends[index - 1] ?? 0, to })
  }
}

/** Keys that divide the lists of segments into parts of about the same size. */
async function rangeEnds(tx: Queries, chosen: readonly SegmentSize[]): Promise<number[]> {
  const [largest] = chosen.toSorted((a, b) => b.size - a.size)
  const step = Math.max(1, Math.ceil(pagesAtOnce / chosen.length))
  const rows = await tx.all(
    'searchPages.keys',
    { segment: largest?.id ?? 0 },
    (_, $) => sql<{ key: number }>`
      select "id" - ${firstPage($('segment'))} as "key" from "searchPages"
      where "id" >= ${firstPage($('segment'))}
        and "id" < ${firstPage($('segment'))} + ${sql.lit(keyLimit)}
      order by "id"`,
  )
  const keys = rows.flatMap(({ key }, index) => (index > 0 && index % step === 0 ? [key] : []))
  return [...keys, keyLimit]
}

export interface RangeArgs {
  segment: number
  ids: string
  from: number
  to: number
}

/** Merges the lists of keys from `from` to below `to`. */
async function mergeRange(tx: Queries, args: RangeArgs): Promise<void> {
  await tx.run('searchPages.merge', args, (_, $) => insertPages($('segment'), mergedPages($)))
}

/** The lists of a range of keys of the segments with these ids, as `insertPages` takes them. */
export function mergedPages($: Param<RangeArgs>): Expression<unknown> {
  const chosen = sql`(select value from json_each(${$('ids')}))`
  const first = firstPage(sql`s."id"`)
  return sql`(
    select search_merged_pages("id", "texts", "deleted", "page", ${$('from')}, ${$('to')}) from (
      select "id", "texts", "deleted", null as "page" from "searchSegments"
      where "id" in ${chosen}
      union all
      select s."id", null, null, p."page"
      from "searchSegments" as s cross join "searchPages" as p
      where s."id" in ${chosen} and p."id" >= ${pageWith(first, $('from'))}
        and p."id" < ${first} + ${$('to')}
    ))`
}

async function dropSegments(tx: Queries, segments: readonly SegmentSize[]): Promise<void> {
  for (const { id } of segments) {
    await tx.run(
      'searchPages.drop',
      { id },
      (_, $) => sql`
        delete from "searchPages" where "id" >= ${firstPage($('id'))}
          and "id" < ${firstPage($('id'))} + ${sql.lit(keyLimit)}`,
    )
  }
  const ids = segments.map(({ id }) => id)
  await tx.run('searchSegments.drop', { ids }, (db, $) =>
    db.deleteFrom('searchSegments').where(inList('searchSegments.id', $('ids'))),
  )
}
