import { recordAuditEvents } from '../activity/audit-events/audit-effects.ts'
import {
  clearMilestoneInEvents,
  clearPromotedMilestonesInEvents,
  recordItemEvent,
  recordMembershipEvents,
  recordMilestoneEvent,
  recordNoteEvent,
  recordProjectCreated,
  recordPushEvents,
} from '../activity/events/event-effects.ts'
import {
  notifyOfNewItem,
  notifyOfNote,
  notifyOfTransition,
  notifyOfUpdate,
} from '../activity/notifications/notification-effects.ts'
import {
  notifyOfAccessRequest,
  notifyOfMembership,
  notifyOfPipeline,
  notifyOfTransfer,
} from '../activity/notifications/place-effects.ts'
import {
  enqueueGroupDeletionSystemHooks,
  enqueueGroupRenameSystemHooks,
  enqueueKeySystemHooks,
  enqueueMemberSystemHooks,
  enqueueNewGroupSystemHooks,
  enqueueNewProjectSystemHooks,
  enqueueProjectDeletionSystemHooks,
  enqueueProjectTransferSystemHooks,
  enqueueProjectUpdateSystemHooks,
  enqueueUserSystemHooks,
} from '../activity/webhooks/system/system-hook-effects.ts'
import {
  enqueueIssueHooks,
  enqueueMergeRequestHooks,
  enqueueNoteHooks,
  enqueuePipelineHooks,
  enqueuePushHooks,
} from '../activity/webhooks/webhook-effects.ts'
import { unlinkKeysOfDeletedProjects } from '../code/deploy-keys/deploy-key-effects.ts'
import { countForHousekeeping } from '../code/housekeeping/housekeeping-effects.ts'
import {
  protectFirstBranch,
  protectImportedBranch,
  protectInitialBranch,
  protectNewDefaultBranch,
} from '../code/protected-refs/protected-ref-effects.ts'
import { touchPusherActivity } from '../code/pushes/push-effects.ts'
import { deleteReleasesOfTags } from '../code/releases/release-effects.ts'
import {
  refreshImportedRepository,
  refreshNewRepository,
  refreshRepository,
} from '../code/statistics/statistics-effects.ts'
import { removeRequestOfNewMember } from '../directory/access-requests/access-request-effects.ts'
import { deleteSolelyOwnedGroups } from '../directory/groups/group-effects.ts'
import { addOwnerOfGroup, addOwnerOfPersonalProject } from '../directory/members/member-effects.ts'
import { deletePersonalProjects } from '../directory/projects/project-effects.ts'
import { removeShareWithNewGroup } from '../directory/shares/share-effects.ts'
import { enqueueConfirmation } from '../directory/users/mails/confirmation-mail.ts'
import { enqueueKeyMail } from '../directory/users/mails/key-mail.ts'
import {
  countChangedIssue,
  countDeletedIssue,
  countNewIssue,
  touchIssueLists,
} from '../planning/issues/issue-effects.ts'
import {
  keepLabelsOfTransferredProject,
  recordLabelEvents,
} from '../planning/labels/label-effects.ts'
import {
  applyMentionsOfCommit,
  applyMentionsOfItem,
  applyMentionsOfNote,
} from '../planning/mentions/mention-effects.ts'
import { keepMilestonesOfTransferredProject } from '../planning/milestones/milestone-effects.ts'
import { touchListsOfNoteable } from '../planning/notes/note-effects.ts'
import { addNotes } from '../planning/system-notes/system-note-effects.ts'
import {
  addTodosOfAssignees,
  addTodosOfDeciders,
  addTodosOfFirstAssignees,
  finishTodosOfActor,
  finishTodosOfDeciders,
  finishTodosOfEditor,
  removeTodosOfFormerMember,
  removeTodosOfHiddenIssue,
} from '../planning/todos/todo-effects.ts'
import type { EffectTable } from '../platform/changes/record-change.ts'
import {
  enqueueApproverTodos,
  resetApprovalsAfterPush,
  resetApprovalsAfterRetarget,
} from '../review/approvals/approval-effects.ts'
import { enqueueCommitMessageJob } from '../review/commit-messages/commit-message-effects.ts'
import {
  addBuildFailedTodosToAuthors,
  enqueueClosingFromProjects,
  enqueueIssueClosing,
  enqueueMergeRequestCompletion,
  enqueueMergeRequestRefresh,
  enqueueRefRemoval,
  touchMergeRequestLists,
} from '../review/merge-requests/merge-request-effects.ts'
import { enqueueWaitingMerges } from '../review/merging/merging-effects.ts'
import {
  enqueueLatePositionUpdate,
  enqueuePositionUpdate,
} from '../review/positions/position-effects.ts'
import { enqueuePushOptions } from '../review/push-options/push-options.jobs.ts'

/** Everything that follows from each kind of change, in order, inside its transaction. */
export const effects: EffectTable = {
  // directory
  'user.created': [recordAuditEvents, enqueueUserSystemHooks],
  'user.updated': [recordAuditEvents],
  'user.renamed': [enqueueUserSystemHooks],
  'user.failed_login': [recordAuditEvents, enqueueUserSystemHooks],
  'user.deleted': [
    recordAuditEvents,
    enqueueUserSystemHooks,
    deleteSolelyOwnedGroups,
    deletePersonalProjects,
  ],
  'sign_in.succeeded': [recordAuditEvents],
  'sign_in.failed': [recordAuditEvents],
  'two_factor.enabled': [recordAuditEvents],
  'two_factor.disabled': [recordAuditEvents],
  'two_factor.recovery_codes_replaced': [recordAuditEvents],
  'email.confirmation_requested': [enqueueConfirmation],
  'token.created': [recordAuditEvents],
  'token.revoked': [recordAuditEvents],
  'key.created': [recordAuditEvents, enqueueKeySystemHooks, enqueueKeyMail],
  'key.deleted': [recordAuditEvents, enqueueKeySystemHooks],
  'gpg_key.created': [recordAuditEvents],
  'gpg_key.deleted': [recordAuditEvents],
  'application.created': [recordAuditEvents],
  'application.deleted': [recordAuditEvents],
  'scim_token.created': [recordAuditEvents],
  'scim_token.revoked': [recordAuditEvents],
  'appearance.updated': [recordAuditEvents],
  'broadcast_message.created': [recordAuditEvents],
  'broadcast_message.updated': [recordAuditEvents],
  'broadcast_message.deleted': [recordAuditEvents],
  'settings.updated': [recordAuditEvents],
  'feature.changed': [recordAuditEvents],
  'feature.deleted': [recordAuditEvents],
  'group.created': [addOwnerOfGroup, recordAuditEvents, enqueueNewGroupSystemHooks],
  'group.updated': [recordAuditEvents],
  'group.renamed': [enqueueGroupRenameSystemHooks],
  'group.deleted': [recordAuditEvents, enqueueGroupDeletionSystemHooks],
  'access.requested': [addTodosOfDeciders, notifyOfAccessRequest],
  'access.settled': [finishTodosOfDeciders],
  'member.joined': [
    removeRequestOfNewMember,
    notifyOfMembership,
    recordMembershipEvents,
    recordAuditEvents,
    enqueueMemberSystemHooks,
  ],
  'member.updated': [recordAuditEvents],
  'member.left': [
    removeTodosOfFormerMember,
    recordMembershipEvents,
    recordAuditEvents,
    enqueueMemberSystemHooks,
  ],
  'member.expired': [
    removeTodosOfFormerMember,
    recordMembershipEvents,
    recordAuditEvents,
    enqueueMemberSystemHooks,
  ],
  'share.created': [recordAuditEvents],
  'share.deleted': [recordAuditEvents],
  'project.created': [
    addOwnerOfPersonalProject,
    refreshNewRepository,
    protectInitialBranch,
    recordProjectCreated,
    recordAuditEvents,
    enqueueNewProjectSystemHooks,
  ],
  'project.updated': [recordAuditEvents, enqueueProjectUpdateSystemHooks],
  'project.default_branch_changed': [protectNewDefaultBranch],
  'project.transferred': [
    addOwnerOfPersonalProject,
    removeShareWithNewGroup,
    keepLabelsOfTransferredProject,
    keepMilestonesOfTransferredProject,
    notifyOfTransfer,
    recordAuditEvents,
    enqueueProjectTransferSystemHooks,
  ],
  'project.fork_unlinked': [enqueueClosingFromProjects],
  'project.deleted': [
    unlinkKeysOfDeletedProjects,
    enqueueClosingFromProjects,
    recordAuditEvents,
    enqueueProjectDeletionSystemHooks,
  ],
  // code
  'ref_protection.changed': [recordAuditEvents],
  'deploy_key.enabled': [recordAuditEvents],
  'deploy_key.updated': [recordAuditEvents],
  'deploy_key.disabled': [recordAuditEvents],
  'public_deploy_key.created': [recordAuditEvents],
  'public_deploy_key.deleted': [recordAuditEvents],
  'deploy_token.created': [recordAuditEvents],
  'deploy_token.revoked': [recordAuditEvents],
  'refs.moved': [
    deleteReleasesOfTags,
    protectFirstBranch,
    touchPusherActivity,
    refreshRepository,
    countForHousekeeping,
    enqueuePushHooks,
    enqueueMergeRequestRefresh,
    enqueueCommitMessageJob,
    enqueuePushOptions,
    recordPushEvents,
  ],
  'repository.imported': [protectImportedBranch, refreshImportedRepository],
  // ci
  'pipeline.status_changed': [enqueuePipelineHooks, enqueueWaitingMerges, notifyOfPipeline],
  'commit_status.failed': [addBuildFailedTodosToAuthors],
  // planning
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
    enqueueIssueHooks,
    notifyOfUpdate,
    touchIssueLists,
  ],
  'issue.closed': [
    finishTodosOfActor,
    addNotes,
    countChangedIssue,
    enqueueIssueHooks,
    notifyOfTransition,
    recordItemEvent,
    touchIssueLists,
  ],
  'issue.reopened': [
    finishTodosOfActor,
    addNotes,
    countChangedIssue,
    enqueueIssueHooks,
    notifyOfTransition,
    recordItemEvent,
    touchIssueLists,
  ],
  'issue.deleted': [countDeletedIssue, touchIssueLists],
  'item.labeled': [recordLabelEvents],
  'item.noted': [addNotes],
  'note.created': [
    finishTodosOfActor,
    applyMentionsOfNote,
    enqueueNoteHooks,
    notifyOfNote,
    recordNoteEvent,
    touchListsOfNoteable,
    enqueueLatePositionUpdate,
  ],
  'note.updated': [applyMentionsOfNote],
  'milestone.created': [recordMilestoneEvent],
  'milestone.closed': [recordMilestoneEvent],
  'milestone.reopened': [recordMilestoneEvent],
  'milestone.deleted': [recordMilestoneEvent, clearMilestoneInEvents],
  'milestone.promoted': [clearPromotedMilestonesInEvents],
  // review
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
  // activity
  'webhook.changed': [recordAuditEvents],
}
