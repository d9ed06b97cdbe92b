import {
  deleteNotes,
  deleteNotificationSettings,
  endIssueAssignments,
  endMergeRequestAssignments,
  listCommitNotes,
  moveAwards,
  moveCommitStatuses,
  moveEpics,
  moveEvents,
  moveIssues,
  moveMergeRequests,
  moveNotes,
  moveSnippets,
  moveTimeLogs,
  moveUserReferences,
  removeApprovalsOf,
  removeAwards,
  removeCodeSystemNotes,
  removeDeployments,
  removeDismissals,
  removeEpics,
  removeEvents,
  removeGroupDeliveries,
  removeIssues,
  removeLabelSubscriptions,
  removeMergeRequests,
  removeNotes,
  removeSnippetsIn,
  removeTimeLogs,
  removeViewedFilesOf,
  removeVulnerabilities,
  removeWebhookEventsOf,
  type Transaction,
} from '@stithy/store'
import { removeDeletedUserApplications } from '../directory/oauth/application-effects.ts'
import { removeDeletedUserProjects } from '../directory/projects/project-effects.ts'
import { removeSnippetsOf } from '../planning/snippets/snippet.service.ts'
import type { Batch, Dependent, Dependents } from '../platform/dependents.ts'

/** Items of one transaction: many rows may depend on each. */
const size = 200

/** A statement without a limit, which is run once. */
function once<Key>(run: (tx: Transaction, key: Key) => Promise<void>): Dependent<Key> {
  return {
    async batch(tx, key) {
      await run(tx, key)
      return 0
    },
  }
}

async function removeCommitNotes(
  tx: Transaction,
  args: { projectId: number; limit: number },
): Promise<number> {
  return deleteNotes(tx, await listCommitNotes(tx, args))
}

/** Passes the deleted user to a store function as `authorId`. */
function ofAuthor(remove: Batch<{ authorId: number }>): Dependent<{ userId: number }> {
  return { batch: (tx, { userId, limit }) => remove(tx, { authorId: userId, limit }), size }
}

export const dependents: Dependents = {
  ofProject: [
    { batch: removeIssues, size },
    { batch: removeMergeRequests, size },
    { batch: removeSnippetsIn, size },
    { batch: removeCommitNotes, size },
    { batch: removeCodeSystemNotes, size },
    { batch: removeDeployments },
    { batch: removeVulnerabilities },
    { batch: removeWebhookEventsOf, size },
    once(removeLabelSubscriptions),
    once((tx, { projectId }) =>
      deleteNotificationSettings(tx, { scope: 'project', ids: [projectId] }),
    ),
  ],
  ofGroup: [
    { batch: removeEpics, size },
    { batch: removeGroupDeliveries, size },
    once(removeLabelSubscriptions),
    once((tx, { groupId }) => deleteNotificationSettings(tx, { scope: 'group', ids: [groupId] })),
  ],
  beforeUser: [removeDeletedUserProjects, removeDeletedUserApplications],
  // Events come last: lists of them are read most.
  movedWithUser: [
    { batch: moveCommitStatuses },
    { batch: moveMergeRequests },
    { batch: moveIssues },
    { batch: moveEpics },
    { batch: moveNotes },
    { batch: moveAwards },
    { batch: moveSnippets },
    { batch: moveTimeLogs },
    { batch: moveUserReferences },
    { batch: moveEvents },
  ],
  removedWithUser: [
    ofAuthor(removeIssues),
    { batch: removeMergeRequests, size },
    ofAuthor(removeEpics),
    { batch: removeNotes },
    { batch: removeAwards },
    { batch: removeDismissals, size },
    { batch: removeTimeLogs },
    { batch: removeEvents },
  ],
  endedWithUser: [
    { batch: endIssueAssignments },
    { batch: endMergeRequestAssignments },
    { batch: removeApprovalsOf },
    { batch: removeViewedFilesOf },
    { batch: removeSnippetsOf, size },
  ],
}
