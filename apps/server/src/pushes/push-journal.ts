import { randomUUID } from 'node:crypto'
import type { RefUpdate } from '@stithy/core'
import { closePushJournal, openPushJournal, schedulePushJournals } from '@stithy/store'
import type { App } from '../app.ts'

// Git moves the refs, the database records that they moved, and no transaction spans both. So a push is
// noted first, as a job that is due in two minutes; while the push lives it is put off again and again;
// and the transaction that records the push removes it. Whatever ends this process in between leaves a
// job behind that becomes due, looks at the refs and records what moved (push.jobs.ts). The removal is
// what makes it exactly once: of the push and the job, only one finds the row.

const leaseMs = 120_000
const renewMs = 30_000

/** A push that is noted and under way. */
export interface PushTicket {
  id: number
  /** Stops putting the job off; it stays where the push was not recorded. */
  release: () => void
  /** Removes the note of a push that moved nothing. */
  discard: () => Promise<void>
}

interface Living {
  ids: Set<number>
  timer: NodeJS.Timeout | undefined
}

const living = new WeakMap<App, Living>()

function livingOf(app: App): Living {
  let found = living.get(app)
  if (found === undefined) {
    found = { ids: new Set(), timer: undefined }
    living.set(app, found)
  }
  return found
}

/** Whether the push of a job is under way in this process. */
export function isUnderWay(app: App, id: number): boolean {
  return livingOf(app).ids.has(id)
}

/** What must be known of a push to record it later. */
export interface NotedPush {
  projectId: number
  userId: number
  updates: readonly RefUpdate[]
  options?: readonly string[]
}

/** Notes a push; must be done before git may move a ref. */
export async function notePush(
  app: App,
  { projectId, userId, updates, options = [] }: NotedPush,
): Promise<PushTicket> {
  const now = app.now()
  const journal = { projectId, userId, updates, options, key: randomUUID(), startedAt: now }
  const id = await app.db.transaction((tx) => openPushJournal(tx, journal, now + leaseMs))
  const state = livingOf(app)
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

function renew(app: App, { ids }: Living): void {
  schedulePushJournals(app.db, [...ids], app.now() + leaseMs).catch((error: unknown) => {
    app.log.warn({ err: error }, 'pushes under way could not be renewed')
  })
}
