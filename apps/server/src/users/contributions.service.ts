import {
  endIssueAssignments,
  endMergeRequestAssignments,
  moveAwards,
  moveCommitStatuses,
  moveCreatedProjects,
  moveEpics,
  moveEvents,
  moveIssues,
  moveMergeRequests,
  moveNotes,
  movePipelines,
  moveReleases,
  moveSnippets,
  moveTimeLogs,
  moveTraces,
  removeAwards,
  removeEpics,
  removeEvents,
  removeIssues,
  removeMergeRequests,
  removeNotes,
  removeTimeLogs,
} from '@stithy/store'
import type { App } from '../app.ts'
import { inBatches } from '../jobs/in-batches.ts'
import { removeSnippetsOf } from '../snippets/snippet.service.ts'

/** What changes hands, events last: lists of them are the ones that are looked at most. */
const moves = [
  movePipelines,
  moveCommitStatuses,
  moveMergeRequests,
  moveIssues,
  moveEpics,
  moveNotes,
  moveAwards,
  moveSnippets,
  moveTimeLogs,
  moveTraces,
  moveEvents,
]

/** Gives what a user did to the ghost; personal snippets go with the user. May be run again. */
export async function moveContributions(app: App, from: number, to: number): Promise<void> {
  await app.db.transaction(async (tx) => {
    await moveCreatedProjects(tx, { from, to })
    await moveReleases(tx, { from, to })
  })
  for (const move of moves) {
    await inBatches((limit) => app.db.transaction((tx) => move(tx, { from, to, limit })))
  }
  await removeOwnThings(app, from)
}

/** Items that go in one transaction: much may hang on each. */
const itemsAtOnce = 200

/** Removes what a user did, and takes it out of all counts. May be run again. */
export async function removeContributions(app: App, userId: number): Promise<void> {
  const whose = { authorId: userId, userId }
  for (const remove of [removeIssues, removeMergeRequests, removeEpics]) {
    await inBatches(
      (limit) => app.db.transaction((tx) => remove(tx, { ...whose, limit })),
      itemsAtOnce,
    )
  }
  for (const remove of [removeNotes, removeAwards, removeTimeLogs, removeEvents]) {
    await inBatches((limit) => app.db.transaction((tx) => remove(tx, { userId, limit })))
  }
  await removeOwnThings(app, userId)
}

/** Ends what can be nobody else's. */
async function removeOwnThings(app: App, userId: number): Promise<void> {
  for (const end of [endIssueAssignments, endMergeRequestAssignments]) {
    await inBatches((limit) => app.db.transaction((tx) => end(tx, { userId, limit })))
  }
  await inBatches((limit) => removeSnippetsOf(app, { userId, limit }), itemsAtOnce)
}
