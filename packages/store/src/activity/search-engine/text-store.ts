import { sql } from 'kysely'
import { foldedText } from '../../platform/dialect/segments/file-text.ts'
import type { Queries } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { addSegments, deleteFromSegments } from './segment-store.ts'

/** What texts are: messages of commits, or paths or contents of files. */
export type TextKind = 'messages' | 'paths' | 'texts'

/** Where texts are on PostgreSQL. */
export const textTables = {
  messages: 'searchMessages',
  paths: 'searchPaths',
  texts: 'searchTexts',
} as const satisfies Record<TextKind, string>

/** Adds texts in lower case, or contents of files, by the id of the file or commit. */
export async function addTexts(
  tx: Queries,
  kind: TextKind,
  texts: readonly { id: number; text: Buffer | string }[],
): Promise<void> {
  if (tx.dialect === 'sqlite') return addSegments(tx, kind, texts)
  const table = textTables[kind]
  for (const { id: rowid, text: added } of texts) {
    const text = typeof added === 'string' ? added : foldedText(added)
    await tx.run(`${table}.add`, { rowid, text }, (db, $) =>
      db.insertInto(table).values({ rowid: $('rowid'), text: $('text') }),
    )
  }
}

/** Deletes the texts of these ids; others are ignored. */
export async function deleteTexts(
  tx: Queries,
  kind: TextKind,
  ids: readonly number[],
): Promise<void> {
  if (tx.dialect === 'sqlite') return deleteFromSegments(tx, kind, ids)
  const table = textTables[kind]
  await tx.run(`${table}.delete`, { ids }, (db, $) =>
    db.deleteFrom(table).where(inList(sql.ref(`${table}.rowid`), $('ids'))),
  )
}
