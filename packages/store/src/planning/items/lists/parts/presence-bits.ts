import { type RawBuilder, sql } from 'kysely'

/** The presence bits of an item. */
const presenceBits = { labels: 1, assignees: 2, milestone: 4, weight: 8 } as const
const counters = { labels: 'labelCount', assignees: 'assigneeCount' } as const
const references = { milestone: 'milestoneId', weight: 'weight' } as const
export type PresenceBit = keyof typeof presenceBits

/** A table with an index of presence bits. */
interface PresenceTable {
  name: string
  presence: readonly PresenceBit[]
}

/** The presence bits that must be set (true) or unset (false). */
export type RequiredPresence = Partial<Record<PresenceBit, boolean>>

/**
 * The presence bits of an item as a number, spelled as in the index on them
 * (migrations/0001/work-item-indexes.ts).
 */
export function presenceBitsOf({ name, presence }: PresenceTable): RawBuilder<number> {
  const column = (of: string) => sql.ref(`${name}.${of}`)
  const terms = presence.map((bit) => {
    const value = sql.lit(presenceBits[bit])
    return bit === 'labels' || bit === 'assignees'
      ? sql`case when ${column(counters[bit])} > 0 then ${value} else 0 end`
      : sql`case when ${column(references[bit])} is null then 0 else ${value} end`
  })
  return sql`(${sql.join(terms, sql` + `)})`
}

/** Every number that satisfies the required presence bits. */
export function presenceNumbers({ presence }: PresenceTable, required: RequiredPresence): number[] {
  return Array.from({ length: 2 ** presence.length }, (_, bits) => bits).filter((bits) =>
    Object.entries(presenceBits).every(([name, bit]) => {
      const has = required[name as PresenceBit]
      return has === undefined || has === ((bits & bit) !== 0)
    }),
  )
}
