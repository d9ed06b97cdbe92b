import {
  notifyStreams,
  notifyStreamsOfVersion,
} from '../../activity/event-streams/event-stream-effects.ts'
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
    notifyStreams,
  ],
  'merge_request.closed': [
    finishTodosOfActor,
    addNotes,
    enqueueMergeRequestHooks,
    notifyOfTransition,
    recordItemEvent,
    notifyStreams,
  ],
  'merge_request.reopened': [
    finishTodosOfActor,
    addNotes,
    enqueueMergeRequestHooks,
    notifyOfTransition,
    recordItemEvent,
    notifyStreams,
  ],
  'merge_request.merged': [
    finishTodosOfActor,
    addNotes,
    enqueueIssueClosing,
    enqueueMergeRequestHooks,
    notifyOfTransition,
    recordItemEvent,
    notifyStreams,
  ],
  'merge_request.pushed': [
    finishTodosOfActor,
    addNotes,
    resetApprovalsAfterPush,
    enqueueMergeRequestHooks,
    notifyOfTransition,
    notifyStreams,
  ],
  'merge_request.version_added': [
    resetApprovalsAfterRetarget,
    enqueuePositionUpdate,
    notifyStreamsOfVersion,
  ],
  'merge_request.approved': [finishTodosOfActor, addNotes, enqueueMergeRequestHooks, notifyStreams],
  'merge_request.unapproved': [addNotes, enqueueMergeRequestHooks, notifyStreams],
  'merge_request.deleted': [enqueueRefRemoval, notifyStreams],
  'commit.mentions_read': [applyMentionsOfCommit],
} satisfies Partial<EffectTable>
