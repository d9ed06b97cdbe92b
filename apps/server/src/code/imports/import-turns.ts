import { enqueueJob, findProjectImport } from '@stithy/store'
import { importRepositoryKind } from '../../directory/imports/schedule-import.ts'
import type { App } from '../../platform/app.ts'
import { importQueue } from '../../platform/jobs/queues.ts'

/** The imports of one user in this process. */
interface Turns {
  isRunning: boolean
  /** Ids of the projects whose imports wait for the one that runs, in their order. */
  waiting: Set<number>
}

const turnsOf = new WeakMap<App, Map<number | null, Turns>>()

/** When a waiting import starts at the latest, though the process with the one before has ended. */
const latestMs = 60 * 60_000

export interface Turn {
  creatorId: number | null
  projectId: number
  signal: AbortSignal
}

/**
 * Runs an import, unless another one of the same user runs in this process: then it starts after
 * that, and this returns at once. Otherwise one user with slow servers would hold up all others.
 */
export async function inTurn(
  app: App,
  { creatorId, projectId, signal }: Turn,
  run: () => Promise<void>,
): Promise<void> {
  const users = turnsOf.get(app) ?? new Map<number | null, Turns>()
  turnsOf.set(app, users)
  const turns = users.get(creatorId) ?? { isRunning: false, waiting: new Set() }
  users.set(creatorId, turns)
  turns.waiting.delete(projectId)
  if (turns.isRunning) {
    turns.waiting.add(projectId)
    return enqueue(app, projectId, app.now() + latestMs)
  }
  turns.isRunning = true
  try {
    await run()
  } finally {
    turns.isRunning = false
    if (!signal.aborted) await startNext(app, turns)
    if (!turns.isRunning && turns.waiting.size === 0) users.delete(creatorId)
  }
}

/** Makes the first of those due that wait, and were not deleted meanwhile. */
async function startNext(app: App, { waiting }: Turns): Promise<void> {
  for (const projectId of waiting) {
    waiting.delete(projectId)
    if (await findProjectImport(app.db, projectId)) return enqueue(app, projectId, app.now())
  }
}

function enqueue(app: App, projectId: number, runAt: number): Promise<void> {
  const job = { queue: importQueue, kind: importRepositoryKind, payload: { projectId }, runAt }
  return app.db.transaction(async (tx) => {
    await enqueueJob(tx, job, app.now())
  })
}
