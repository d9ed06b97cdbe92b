import { type Expression, sql } from 'kysely'
import type { HitRequest } from '../../platform/dialect/segments/segment-search.ts'
import { searchedKeys } from '../../platform/dialect/segments/text-keys.ts'
import type { Param } from '../../platform/queries/queries.ts'
import { jsonText } from '../../platform/queries/sql.ts'
import { searchBlockSize } from './entry-store.ts'
import { firstPage, isSigned, pageWith } from './segment-store.ts'
import type { TextKind } from './text-store.ts'

/** A page of hits: ids from `first` to below `before`, the highest first. */
type HitPage = Pick<HitRequest, 'before' | 'first' | 'limit'>

export interface HitArgs extends HitPage {
  keys: string
  request: string
}

/** The arguments of `segmentHits`. */
export function hitArgs(kind: TextKind | undefined, text: string, page: HitPage): HitArgs {
  const ranges = searchedKeys(text, kind !== undefined && isSigned(kind))
  const request = { ...page, keys: ranges.length, blockSize: searchBlockSize }
  const keys = [segmentItself, ...ranges].map(({ from, to }) => [from, to])
  return { ...page, keys: jsonText(keys), request: jsonText(request) }
}

/** Stands before the keys: for it, a segment is read instead of its pages. */
const segmentItself = { from: -1, to: -1 }

/**
 * The ids of texts of a kind that may contain a text, as rows with a `value`, of the blocks of
 * `places` alone. A segment comes before its pages, as the function wants them.
 */
export function segmentHits(kind: TextKind, $: Param<HitArgs>): Expression<unknown> {
  const from = sql`("key"."value"->>0)`
  const to = sql`("key"."value"->>1)`
  const ofSegment = (value: Expression<unknown>) => sql`case when ${from} < 0 then ${value} end`
  const blocks = sql`(select json_group_array("block") from "places")`
  const first = firstPage(sql`s."id"`)
  return sql`json_each((
    select search_hits(
      ${ofSegment(sql`${$('request')}`)}, ${ofSegment(blocks)}, s."id", s."lastId",
      ${ofSegment(sql`s."texts"`)}, ${ofSegment(sql`s."deleted"`)}, ${from}, ${to}, p."page"
    )
    from "searchSegments" as s cross join json_each(${$('keys')}) as "key"
    left join "searchPages" as p on p."id" >= ${pageWith(first, from)}
      and p."id" <= ${first} + ${to} and ${from} >= 0
    where s."holds" = ${sql.lit(kind)}
      and s."firstId" < ${$('before')} and s."lastId" >= ${$('first')}
  ))`
}
