import { recordItemEvent } from '../../activity/events/event-effects.ts'
import {
  notifyOfNewItem,
  notifyOfTransition,
  notifyOfUpdate,
} from '../../activity/notifications/notification-effects.ts'
import { enqueueMergeRequestHooks } from '../../activity/webhooks/webhook-effects.ts'
import {
  applyMentionsOfCommit,
  applyMentionsOfItem,
} from '../../planning/mentions/mention-effects.ts'
import { addNotes } from '../../planning/system-notes/system-note-effects.ts'
import {
  addTodosOfAssignees,
  addTodosOfFirstAssignees,
  finishTodosOfActor,
  finishTodosOfEditor,
} from '../../planning/todos/todo-effects.ts'
import type { EffectTable } from '../../platform/changes/record-change.ts'
import {
  enqueueApproverTodos,
  resetApprovalsAfterPush,
  resetApprovalsAfterRetarget,
} from '../../review/approvals/approval-effects.ts'
import {
  enqueueIssueClosing,
  enqueueMergeRequestCompletion,
  enqueueRefRemoval,
  touchMergeRequestLists,
} from '../../review/merge-requests/merge-request-effects.ts'
import { enqueuePositionUpdate } from '../../review/positions/position-effects.ts'

/** What follows from changes of merge requests. */
export const reviewEffects = {
  'merge_request.created': [
    addNotes,
    addTodosOfFirstAssignees,
    applyMentionsOfItem,
    enqueueMergeRequestCompletion,
    enqueueApproverTodos,
    enqueueMergeRequestHooks,
    notifyOfNewItem,
    recordItemEvent,
  ],
  'merge_request.updated': [
    addNotes,
    finishTodosOfEditor,
    addTodosOfAssignees,
    applyMentionsOfItem,
    enqueueMergeRequestHooks,
    notifyOfUpdate,
    touchMergeRequestLists,
  ],
  'merge_request.closed': [
    finishTodosOfActor,
    addNotes,
    enqueueMergeRequestHooks,
    notifyOfTransition,
    recordItemEvent,
  ],
  'merge_request.reopened': [
    finishTodosOfActor,
    addNotes,
    enqueueMergeRequestHooks,
    notifyOfTransition,
    recordItemEvent,
  ],
  'merge_request.merged': [
    finishTodosOfActor,
    addNotes,
    enqueueIssueClosing,
    enqueueMergeRequestHooks,
    notifyOfTransition,
    recordItemEvent,
  ],
  'merge_request.pushed': [
    finishTodosOfActor,
    addNotes,
    resetApprovalsAfterPush,
    enqueueMergeRequestHooks,
    notifyOfTransition,
  ],
  'merge_request.version_added': [resetApprovalsAfterRetarget, enqueuePositionUpdate],
  'merge_request.approved': [finishTodosOfActor, addNotes, enqueueMergeRequestHooks],
  'merge_request.unapproved': [addNotes, enqueueMergeRequestHooks],
  'merge_request.deleted': [enqueueRefRemoval],
  'commit.mentions_read': [applyMentionsOfCommit],
} satisfies Partial<EffectTable>
