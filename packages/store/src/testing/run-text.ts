import { sql } from 'kysely'
import type { Queries } from '../queries.ts'

/** Runs a query of the test's own and answers its rows. */
export function runText<R>(q: Queries, text: string): Promise<R[]> {
  return q.all(`test.${text}`, {}, () => sql<R>`${sql.raw(text)}`)
}

/** Runs a statement of the test's own that answers nothing. */
export async function writeText(q: Queries, text: string): Promise<void> {
  await q.run(`test.${text}`, {}, () => sql`${sql.raw(text)}`)
}
