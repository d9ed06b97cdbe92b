import type Sqlite from 'better-sqlite3'
import { writeFullText } from './full-text-tables.ts'
import type { FullTextThread } from './full-text-thread.ts'
import { type FullTextParts, type FullTextWork, reportFailure } from './full-text-work.ts'
import { findUnindexed } from './index-long-text.ts'

/**
 * Soon after the transaction that wrote a long text, or the next one after a crash.
 * @param indexed called after each text
 */
export function indexLongTexts(
  { writer, thread, logger }: FullTextParts,
  indexed: () => void,
): FullTextWork {
  let unindexed: Sqlite.Statement | undefined
  let running: Promise<void> | undefined
  let isClosed = false

  function look(): void {
    if (running !== undefined || isClosed || writer.inTransaction) return
    // The table is there once the database was migrated, which takes a transaction of its own.
    unindexed ??= writer.prepare(findUnindexed)
    if (unindexed.get() === undefined) return
    if (thread === undefined) while (writeFullText(writer, { name: 'index' }));
    else running = run(thread)
  }

  async function run(thread: FullTextThread): Promise<void> {
    const failed = await reportFailure(logger, 'A long text could not be indexed', async () => {
      while (!isClosed && (await thread.write({ name: 'index' })).hasWritten) indexed()
    })
    running = undefined
    // One may have been written after the thread looked.
    if (!failed) look()
  }

  return {
    look,
    async close() {
      isClosed = true
      await running
    },
  }
}
