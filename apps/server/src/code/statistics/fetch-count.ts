import { countedDays } from '@stithy/core'
import { addFetches, deleteOldFetches } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'

const dayMs = 24 * 60 * 60_000

interface Counting {
  /** Fetches that are yet to be written, by day. */
  waiting: Map<string, number>
  written: Promise<void>
}

const countings = new WeakMap<App, Map<number, Counting>>()

/**
 * Counts a clone or pull of a project, over whichever protocol. Returns at once: the count is
 * written in the background, those of one project one after the other, and together if there are
 * many. A failure is logged; a crash loses what is not written.
 */
export function countFetch(app: App, projectId: number): void {
  const day = dayOf(app.now())
  const byProject = countings.get(app) ?? new Map<number, Counting>()
  countings.set(app, byProject)
  const current = byProject.get(projectId)
  if (current !== undefined) {
    current.waiting.set(day, (current.waiting.get(day) ?? 0) + 1)
    return
  }
  const waiting = new Map([[day, 1]])
  const written = write(app, projectId, waiting).catch((error: unknown) => {
    app.log.warn({ err: error, projectId }, 'counting a fetch failed')
  })
  byProject.set(projectId, { waiting, written })
}

/** Resolves when what this server has counted of a project is written. */
export async function fetchesWritten(app: App, projectId: number): Promise<void> {
  await countings.get(app)?.get(projectId)?.written
}

/** The first of the days that are counted, `YYYY-MM-DD`. */
export function firstCountedDay(now: number): string {
  return dayOf(now - (countedDays - 1) * dayMs)
}

async function write(app: App, projectId: number, waiting: Map<string, number>): Promise<void> {
  const { asyncCommit } = app.db
  try {
    // Fetches that are counted meanwhile are written before the next one starts over.
    do {
      for (const day of [...waiting.keys()]) {
        const count = waiting.get(day) ?? 0
        waiting.delete(day)
        await addFetches(asyncCommit, { projectId, day, count })
      }
      await deleteOldFetches(asyncCommit, { projectId, from: firstCountedDay(app.now()) })
    } while (waiting.size > 0)
  } finally {
    countings.get(app)?.delete(projectId)
  }
}
