import { recordAuditEvents } from '../../activity/audit-events/audit-effects.ts'
import {
  recordMembershipEvents,
  recordProjectCreated,
} from '../../activity/events/event-effects.ts'
import {
  notifyOfAccessRequest,
  notifyOfMembership,
  notifyOfTransfer,
} from '../../activity/notifications/place-effects.ts'
import {
  followIndexSettings,
  indexNewDefaultBranch,
  indexNewProject,
  removeProjectsFromIndex,
} from '../../activity/search-index/search-index-effects.ts'
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
} from '../../activity/webhooks/system/system-hook-effects.ts'
import { unlinkKeysOfDeletedProjects } from '../../code/deploy-keys/deploy-key-effects.ts'
import {
  protectInitialBranch,
  protectNewDefaultBranch,
} from '../../code/protected-refs/protected-ref-effects.ts'
import { refreshNewRepository } from '../../code/statistics/statistics-effects.ts'
import { removeRequestOfNewMember } from '../../directory/access-requests/access-request-effects.ts'
import { deleteSolelyOwnedGroups } from '../../directory/groups/group-effects.ts'
import {
  addOwnerOfGroup,
  addOwnerOfPersonalProject,
} from '../../directory/members/member-effects.ts'
import { deleteApplicationsOfUser } from '../../directory/oauth/application-effects.ts'
import { deletePersonalProjects } from '../../directory/projects/project-effects.ts'
import {
  redirectToGroup,
  redirectToProject,
  redirectToUser,
} from '../../directory/redirects/redirect-effects.ts'
import { removeShareWithNewGroup } from '../../directory/shares/share-effects.ts'
import { enqueueConfirmation } from '../../directory/users/mails/confirmation-mail.ts'
import { enqueueKeyMail } from '../../directory/users/mails/key-mail.ts'
import { leaveEpicsOfFormerGroups } from '../../planning/epic-issues/epic-issue-effects.ts'
import { keepLabelsOfTransferredProject } from '../../planning/labels/label-effects.ts'
import { keepMilestonesOfTransferredProject } from '../../planning/milestones/milestone-effects.ts'
import {
  addTodosOfDeciders,
  finishTodosOfDeciders,
  removeTodosOfFormerMember,
} from '../../planning/todos/todo-effects.ts'
import type { EffectTable } from '../../platform/changes/record-change.ts'
import { enqueueClosingFromProjects } from '../../review/merge-requests/merge-request-effects.ts'

/** What follows from changes of users, groups, projects and the instance. */
export const directoryEffects = {
  'user.created': [recordAuditEvents, enqueueUserSystemHooks],
  'user.updated': [recordAuditEvents],
  'user.renamed': [redirectToUser, enqueueUserSystemHooks],
  'user.failed_login': [recordAuditEvents, enqueueUserSystemHooks],
  'user.deleted': [
    recordAuditEvents,
    enqueueUserSystemHooks,
    deleteSolelyOwnedGroups,
    deletePersonalProjects,
    deleteApplicationsOfUser,
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
  'application.updated': [recordAuditEvents],
  'application.secret_renewed': [recordAuditEvents],
  'application.deleted': [recordAuditEvents],
  'scim_token.created': [recordAuditEvents],
  'scim_token.revoked': [recordAuditEvents],
  'appearance.updated': [recordAuditEvents],
  'broadcast_message.created': [recordAuditEvents],
  'broadcast_message.updated': [recordAuditEvents],
  'broadcast_message.deleted': [recordAuditEvents],
  'settings.updated': [recordAuditEvents, followIndexSettings],
  'feature.changed': [recordAuditEvents],
  'feature.deleted': [recordAuditEvents],
  'group.created': [addOwnerOfGroup, recordAuditEvents, enqueueNewGroupSystemHooks],
  'group.updated': [recordAuditEvents],
  'group.renamed': [redirectToGroup, enqueueGroupRenameSystemHooks],
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
    indexNewProject,
    protectInitialBranch,
    recordProjectCreated,
    recordAuditEvents,
    enqueueNewProjectSystemHooks,
  ],
  'project.updated': [redirectToProject, recordAuditEvents, enqueueProjectUpdateSystemHooks],
  'project.default_branch_changed': [protectNewDefaultBranch, indexNewDefaultBranch],
  'project.transferred': [
    redirectToProject,
    addOwnerOfPersonalProject,
    removeShareWithNewGroup,
    keepLabelsOfTransferredProject,
    keepMilestonesOfTransferredProject,
    leaveEpicsOfFormerGroups,
    notifyOfTransfer,
    recordAuditEvents,
    enqueueProjectTransferSystemHooks,
  ],
  'pages_domain.changed': [recordAuditEvents],
  'pages_domain.verified': [recordAuditEvents],
  'project.fork_unlinked': [enqueueClosingFromProjects],
  'project.deleted': [
    unlinkKeysOfDeletedProjects,
    enqueueClosingFromProjects,
    recordAuditEvents,
    enqueueProjectDeletionSystemHooks,
    removeProjectsFromIndex,
  ],
} satisfies Partial<EffectTable>
