import { type RawBuilder, sql } from 'kysely'
import type { WorkItemTable } from '../work-item-table.ts'

/** The presence bits of an item. */
const presenceBits = { labels: 1, assignees: 2, milestone: 4, weight: 8 } as const
export type PresenceBit = keyof typeof presenceBits

/** The presence bits that must be set (true) or unset (false). */
export type RequiredPresence = Partial<Record<PresenceBit, boolean>>

/**
 * The presence bits of an item as a number, spelled as in the index on them
 * (migrations/0001/issues.ts).
 */
export function presenceBitsOf({ name }: WorkItemTable): RawBuilder<number> {
  const column = (of: string) => sql.ref(`${name}.${of}`)
  return sql`(case when ${column('labelCount')} > 0 then 1 else 0 end + case when ${column('assigneeCount')} > 0 then 2 else 0 end + case when ${column('milestoneId')} is null then 0 else 4 end + case when ${column('weight')} is null then 0 else 8 end)`
}

/** Every number that satisfies the required presence bits. */
export function presenceNumbers(required: RequiredPresence): number[] {
  return Array.from({ length: 16 }, (_, bits) => bits).filter((bits) =>
    Object.entries(presenceBits).every(([name, bit]) => {
      const has = required[name as PresenceBit]
      return has === undefined || has === ((bits & bit) !== 0)
    }),
  )
}
