import { randomUUID } from 'node:crypto'
import type { RefUpdate } from '@stithy/core'
import {
  closePushJournal,
  openPushJournal,
  schedulePushJournals,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'

// Git moves the refs, the database records that they moved, and no transaction spans both. So a
// push is first stored as a job that is due in two minutes. While the push is running, the
// job is postponed again and again; the transaction that records the push deletes it. If the
// process dies in between, the job becomes due, compares the refs and records what moved
// (push.jobs.ts). The deletion ensures exactly-once: of the push and the job, only one finds the
// row.
const leaseMs = 120_000
const renewMs = 30_000

/** A push in progress with its job. */
export interface PendingPush {
  id: number
  /** Stops postponing the job; it stays if the push was not recorded. */
  release: () => void
  /** Deletes the job of a push that moved nothing. */
  discard: () => Promise<void>
}

interface ActivePushes {
  ids: Set<number>
  timer: NodeJS.Timeout | undefined
}

const activePushes = new WeakMap<App, ActivePushes>()

function activePushesOf(app: App): ActivePushes {
  let found = activePushes.get(app)
  if (found === undefined) {
    found = { ids: new Set(), timer: undefined }
    activePushes.set(app, found)
  }
  return found
}

/** Whether the push of a job is in progress in this process. */
export function isPushInProgress(app: App, id: number): boolean {
  return activePushesOf(app).ids.has(id)
}

/** What is needed of a push to record it later. */
export interface JournaledPush {
  projectId: number
  userId: number
  updates: readonly RefUpdate[]
  options?: readonly string[]
  /** Whether the refs are those of the project's wiki. */
  isWiki?: boolean
}

/** Enqueues the job of a push; must be called before git may move a ref. */
export async function journalPush(
  app: App,
  { projectId, userId, updates, options = [], isWiki = false }: JournaledPush,
): Promise<PendingPush> {
  const now = app.now()
  const key = randomUUID()
  const journal = { projectId, userId, updates, options, isWiki, key, startedAt: now }
  const id = await app.db.transaction((tx) => openPushJournal(tx, journal, now + leaseMs))
  const state = activePushesOf(app)
  state.ids.add(id)
  state.timer ??= setInterval(() => renew(app, state), renewMs).unref()
  const release = () => {
    state.ids.delete(id)
    if (state.ids.size > 0) return
    clearInterval(state.timer)
    state.timer = undefined
  }
  const discard = async () => {
    await app.db.transaction((tx) => closePushJournal(tx, id))
    release()
  }
  return { id, release, discard }
}

/** Deletes the job of a push with its recording; false if it is recorded already. */
export function closeJournal(tx: Transaction, id: number): Promise<boolean> {
  return closePushJournal(tx, id)
}

function renew(app: App, { ids }: ActivePushes): void {
  schedulePushJournals(app.db, [...ids], app.now() + leaseMs).catch((error: unknown) => {
    app.log.warn({ err: error }, 'the jobs of pushes in progress could not be postponed')
  })
}
