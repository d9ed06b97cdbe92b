import type { ThreadScripts } from '../platform/dialect/database-thread.ts'

/** One script for all threads of a database. */
export function scriptForAll(script: string): ThreadScripts {
  return { checkpoint: script, fullText: script, index: script, read: script }
}
