import { fullTextTables, mergeFullTextTable } from '@stithy/store'
import type { World } from './world.ts'

/** Merges what was inserted at once, as the server does after some writes. */
export function mergeFullText({ db }: World): void {
  for (const table of fullTextTables) while (mergeFullTextTable(db, table));
}
