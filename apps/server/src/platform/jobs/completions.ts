import { type ClaimedJob, completeJobs } from '@stithy/store'
import type { App } from '../app.ts'

/** Jobs that were done, recorded in groups: one statement for all that finish together. */
export interface Completions {
  add: (job: ClaimedJob) => void
  /** Resolves when all that were added are recorded. */
  recorded: () => Promise<void>
}

/** A job that could not be recorded keeps its lease until it expires, and is repeated. */
export function createCompletions(app: App, owner: string): Completions {
  let ids: number[] = []
  let recording: Promise<void> | undefined
  async function record(): Promise<void> {
    while (ids.length > 0) {
      // What finishes in the same turn of the event loop joins the group.
      await new Promise((resolve) => setImmediate(resolve))
      const group = { ids, owner }
      ids = []
      await completeJobs(app.db.asyncCommit, group, app.now()).catch((error: unknown) =>
        app.log.error({ err: error, jobs: group.ids.length }, 'finished jobs cannot be recorded'),
      )
    }
    recording = undefined
  }
  return {
    add({ id }) {
      ids.push(id)
      recording ??= record()
    },
    async recorded() {
      while (recording !== undefined) await recording
    },
  }
}
