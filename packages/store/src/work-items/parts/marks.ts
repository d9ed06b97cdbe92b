import { type RawBuilder, sql } from 'kysely'
import type { WorkItemTable } from '../work-item-table.ts'

/** What an item may have; each is a bit of its marks. */
const markBits = { labels: 1, assignees: 2, milestone: 4, weight: 8 } as const
export type Mark = keyof typeof markBits

/** Which marks must be there (true) or must not (false). */
export type WantedMarks = Partial<Record<Mark, boolean>>

/** The marks of an item as a number, in the words of the index on them (migrations/0010/issue-indices.ts). */
export function marksOf({ name }: WorkItemTable): RawBuilder<number> {
  const column = (of: string) => sql.ref(`${name}.${of}`)
  return sql`(case when ${column('labelCount')} > 0 then 1 else 0 end + case when ${column('assigneeCount')} > 0 then 2 else 0 end + case when ${column('milestoneId')} is null then 0 else 4 end + case when ${column('weight')} is null then 0 else 8 end)`
}

/** Every number that the marks can be. */
export function markNumbers(wanted: WantedMarks): number[] {
  return Array.from({ length: 16 }, (_, marks) => marks).filter((marks) =>
    Object.entries(markBits).every(([name, bit]) => {
      const has = wanted[name as Mark]
      return has === undefined || has === ((marks & bit) !== 0)
    }),
  )
}
