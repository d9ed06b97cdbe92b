import {
  notifyStreams,
  notifyStreamsOfLabels,
} from '../../activity/event-streams/event-stream-effects.ts'
import {
  clearMilestoneInEvents,
  clearPromotedMilestonesInEvents,
  recordItemEvent,
  recordMilestoneEvent,
  recordNoteEvent,
} from '../../activity/events/event-effects.ts'
import {
  notifyOfNewItem,
  notifyOfNote,
  notifyOfTransition,
  notifyOfUpdate,
} from '../../activity/notifications/notification-effects.ts'
import { enqueueIssueHooks, enqueueNoteHooks } from '../../activity/webhooks/webhook-effects.ts'
import { moveIssueWithinEpic } from '../../planning/epic-issues/epic-issue-effects.ts'
import {
  refreshDatesOfEpic,
  refreshDatesOfMilestone,
} from '../../planning/epics/epic-date-effects.ts'
import { touchEpicLists } from '../../planning/epics/epic-effects.ts'
import {
  countChangedIssue,
  countDeletedIssue,
  countNewIssue,
  touchIssueLists,
} from '../../planning/issues/issue-effects.ts'
import { recordLabelEvents } from '../../planning/labels/label-effects.ts'
import {
  applyMentionsOfItem,
  applyMentionsOfNote,
} from '../../planning/mentions/mention-effects.ts'
import { touchListsOfNoteable } from '../../planning/notes/note-effects.ts'
import { addNotes } from '../../planning/system-notes/system-note-effects.ts'
import {
  addTodosOfAssignees,
  addTodosOfFirstAssignees,
  finishTodosOfActor,
  finishTodosOfEditor,
  removeTodosOfHiddenIssue,
} from '../../planning/todos/todo-effects.ts'
import type { EffectTable } from '../../platform/changes/record-change.ts'
import { enqueueLatePositionUpdate } from '../../review/positions/position-effects.ts'

/** What follows from changes of issues, notes and milestones. */
export const planningEffects = {
  'issue.created': [
    addNotes,
    addTodosOfFirstAssignees,
    applyMentionsOfItem,
    countNewIssue,
    enqueueIssueHooks,
    notifyOfNewItem,
    recordItemEvent,
    touchIssueLists,
  ],
  'issue.updated': [
    addNotes,
    finishTodosOfEditor,
    removeTodosOfHiddenIssue,
    addTodosOfAssignees,
    applyMentionsOfItem,
    countChangedIssue,
    refreshDatesOfEpic,
    enqueueIssueHooks,
    notifyOfUpdate,
    touchIssueLists,
    notifyStreams,
  ],
  'issue.closed': [
    finishTodosOfActor,
    addNotes,
    countChangedIssue,
    enqueueIssueHooks,
    notifyOfTransition,
    recordItemEvent,
    touchIssueLists,
    notifyStreams,
  ],
  'issue.reopened': [
    finishTodosOfActor,
    addNotes,
    countChangedIssue,
    enqueueIssueHooks,
    notifyOfTransition,
    recordItemEvent,
    touchIssueLists,
    notifyStreams,
  ],
  'issue.deleted': [countDeletedIssue, touchIssueLists, notifyStreams],
  'issue.moved': [moveIssueWithinEpic],
  'epic.created': [addNotes, applyMentionsOfItem, notifyOfNewItem, touchEpicLists],
  'epic.updated': [
    addNotes,
    finishTodosOfEditor,
    applyMentionsOfItem,
    notifyOfUpdate,
    touchEpicLists,
    notifyStreams,
  ],
  'epic.closed': [finishTodosOfActor, addNotes, notifyOfTransition, touchEpicLists, notifyStreams],
  'epic.reopened': [
    finishTodosOfActor,
    addNotes,
    notifyOfTransition,
    touchEpicLists,
    notifyStreams,
  ],
  'epic.deleted': [touchEpicLists, notifyStreams],
  'item.labeled': [recordLabelEvents, notifyStreamsOfLabels],
  'item.noted': [addNotes, notifyStreams],
  'note.created': [
    finishTodosOfActor,
    applyMentionsOfNote,
    enqueueNoteHooks,
    notifyOfNote,
    recordNoteEvent,
    touchListsOfNoteable,
    enqueueLatePositionUpdate,
    notifyStreams,
  ],
  'note.updated': [applyMentionsOfNote, notifyStreams],
  'milestone.created': [recordMilestoneEvent],
  'milestone.closed': [recordMilestoneEvent],
  'milestone.reopened': [recordMilestoneEvent],
  'milestone.deleted': [recordMilestoneEvent, clearMilestoneInEvents],
  'milestone.rescheduled': [refreshDatesOfMilestone],
  'milestone.promoted': [clearPromotedMilestonesInEvents],
} satisfies Partial<EffectTable>
