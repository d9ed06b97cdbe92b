import { setTimeout as delay } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import {
  countSegments,
  type FullTextTable,
  fullTextTables,
  writeFullText,
} from './full-text-tables.ts'
import type { FullTextThread } from './full-text-thread.ts'
import { type FullTextParts, type FullTextWork, reportFailure } from './full-text-work.ts'

/** Segments are counted after as many transactions, or after each while tables are merged: it takes 12 µs. */
const commitsPerLook = 4

/** A table that has as many segments more than its last merge left is merged. */
const mergedSegments = 16

/** A table that has as many is merged without pauses: one part for each write. */
const manySegments = 64

/**
 * While a table has as many, writers wait for several parts. At 250, the `crisismerge` of the tables,
 * a single write would merge all of one level.
 */
const tooManySegments = 128

/** Milliseconds; on a busy machine the thread waits for a processor for longer than it uses one. */
const maxPauseMs = 50

/**
 * Merges the tables until nothing is left to merge, one part after the other, and lets writers have
 * as much time as each part takes.
 */
export function mergeFullText({ writer, thread, logger }: FullTextParts): FullTextWork {
  const due = createDueTables(writer)
  let pausing = new AbortController()
  let commits = 0
  let running: Promise<void> | undefined
  let isClosed = false

  function look(): void {
    commits += 1
    if (isClosed || (running === undefined && commits < commitsPerLook)) return
    if (thread === undefined && writer.inTransaction) return
    commits = 0
    const most = due.find()
    if (most >= manySegments) pausing.abort()
    if (due.tables.size === 0) return
    if (thread === undefined) mergeNow()
    else running ??= run(thread)
  }

  function mergeNow(): void {
    for (const table of due.tables) {
      while (writeFullText(writer, { name: 'merge', table }));
      due.finish(table)
    }
  }

  async function run(thread: FullTextThread): Promise<void> {
    await reportFailure(logger, 'Full-text tables could not be merged', async () => {
      while (due.tables.size > 0 && !isClosed) {
        for (const table of due.tables) await mergePart(thread, table)
      }
    })
    due.tables.clear()
    running = undefined
  }

  async function mergePart(thread: FullTextThread, table: FullTextTable): Promise<void> {
    const isUrgent = () => !isClosed && due.count(table) >= tooManySegments
    const { hasWritten, ms } = await thread.write({ name: 'merge', table }, isUrgent)
    if (!hasWritten) due.finish(table)
    else if (due.count(table) < manySegments) await pause(Math.min(ms, maxPauseMs))
  }

  async function pause(ms: number): Promise<void> {
    if (isClosed) return
    pausing = new AbortController()
    await delay(ms, undefined, { signal: pausing.signal }).catch(() => {})
  }

  return {
    look,
    async close() {
      isClosed = true
      pausing.abort()
      await running
    },
  }
}

/** The tables that are to be merged. */
function createDueTables(writer: Sqlite.Database) {
  const count = countSegments(writer)
  const tables = new Set<FullTextTable>()
  /** The segments that each had after its last merge. */
  const left = new Map<FullTextTable, number>()
  return {
    tables,
    count,
    /** @returns the number of segments of the table that has the most */
    find(): number {
      let most = 0
      for (const table of fullTextTables) {
        const segments = count(table)
        if (segments - (left.get(table) ?? 0) >= mergedSegments) tables.add(table)
        most = Math.max(most, segments)
      }
      return most
    },
    finish(table: FullTextTable): void {
      tables.delete(table)
      left.set(table, count(table))
    },
  }
}
