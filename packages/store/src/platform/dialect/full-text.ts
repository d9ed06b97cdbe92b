import type Sqlite from 'better-sqlite3'
import type { Database, StoreLogger } from '../queries/queries.ts'
import { mergeFullText } from './full-text-merges.ts'
import { createFullTextThread, type FullTextThreadOptions } from './full-text-thread.ts'
import { indexLongTexts } from './long-texts.ts'

interface FullTextOptions extends FullTextThreadOptions {
  logger: StoreLogger
}

/**
 * Has a thread do what would hold up a writer of the main thread: index the whole of long texts, of
 * which triggers index the beginning, and merge the segments of full-text tables. In memory, where
 * there is one connection, it is done at once.
 */
export function maintainFullText(
  transaction: Database['transaction'],
  writer: Sqlite.Database,
  options: FullTextOptions,
): Pick<Database, 'transaction' | 'close'> {
  const thread = options.file === ':memory:' ? undefined : createFullTextThread(options)
  const parts = { writer, thread, logger: options.logger }
  const merges = mergeFullText(parts)
  const works = [indexLongTexts(parts, merges.look), merges]
  return {
    async transaction(work) {
      const result = await transaction(work)
      for (const { look } of works) look()
      return result
    },
    async close() {
      await Promise.all(works.map(({ close }) => close()))
      await thread?.end()
    },
  }
}
