import { sql } from 'kysely'
import type { Queries } from '../platform/queries/queries.ts'

/** Runs a raw query of a test and returns its rows. */
export function runText<R>(q: Queries, text: string): Promise<R[]> {
  return q.all(`test.${text}`, {}, () => sql<R>`${sql.raw(text)}`)
}

/** Runs a raw statement of a test that returns no rows. */
export async function writeText(q: Queries, text: string): Promise<void> {
  await q.run(`test.${text}`, {}, () => sql`${sql.raw(text)}`)
}
