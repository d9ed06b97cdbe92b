import {
  findVersionBetween,
  listBranchesInUse,
  listBranchMoves,
  listRecordedMoves,
} from '@stithy/store'
import { writeNotification } from '../activity/mail/notification-mail.ts'
import {
  writeAccessRequest,
  writeMembership,
  writePipeline,
  writeTransfer,
} from '../activity/mail/place-mail.ts'
import { notificationKind } from '../activity/notifications/notification.ts'
import {
  accessRequestKind,
  memberKind,
  movedKind,
  pipelineKind,
} from '../activity/notifications/place-notification.ts'
import { findVisiblePipeline } from '../ci/pipelines/pipeline.service.ts'
import type { RecordedMoves } from '../code/pushes/recorded-moves.ts'
import { reconcileWikiPush } from '../code/wikis/wiki-reconcile.service.ts'
import { mailFrame } from '../directory/appearance/mail-frame.ts'
import { confirmationKind, writeConfirmation } from '../directory/users/mails/confirmation-mail.ts'
import { keyKind, writeKeyMail } from '../directory/users/mails/key-mail.ts'
import {
  passwordResetKind,
  welcomeKind,
  writePasswordReset,
  writeWelcome,
} from '../directory/users/mails/password-reset.service.ts'
import {
  assignIssueByText,
  removeIssueByText,
} from '../planning/epic-issues/epic-issue-text.service.ts'
import {
  assignChildByText,
  removeChildByText,
  removeParentByText,
} from '../planning/epic-links/epic-link-text.service.ts'
import { promoteIssue } from '../planning/issue-promotion/issue-promotion.service.ts'
import type { EpicActions } from '../planning/items/epic-actions.ts'
import type { MergeRequestActions } from '../planning/items/merge-request-actions.ts'
import { viewFlavoredAll } from '../planning/markdown/markdown-view.service.ts'
import type { App } from '../platform/app.ts'
import type { MailWriter } from '../platform/mail/mail.ts'
import { countClosing } from '../review/merge-requests/closing/closing.service.ts'
import { createForIssue } from '../review/merge-requests/issue-merge-request.service.ts'
import { updateMergeRequest } from '../review/merge-requests/merge-request-update.service.ts'
import { viewMergeRequests } from '../review/merge-requests/merge-request-views.service.ts'
import { listOfMilestone } from '../review/merge-requests/milestone-merge-requests.service.ts'
import { sharedBranches } from '../review/merge-requests/update/collaboration.service.ts'
import { possibleEvent } from '../review/merge-requests/update/merge-request-states.ts'
import { canRetarget } from '../review/merge-requests/update/retarget.service.ts'
import { approveByText, mergeByText } from '../review/merging/merge-by-text.service.ts'
import { answerPush } from '../review/push-options/push-requests.service.ts'
import { dependents } from './dependents.ts'
import { subjects } from './subjects.ts'

const recordedMoves: RecordedMoves = { ofRef: listRecordedMoves, ofBranches: listBranchMoves }

const mergeRequests: MergeRequestActions = {
  update: updateMergeRequest,
  possibleEvent,
  canRetarget,
  merge: mergeByText,
  approve: approveByText,
  createForIssue,
  hasVersion: (app, { row }, refs) =>
    findVersionBetween(app.db, { mergeRequestId: row.id, ...refs }),
  countClosing,
  listOfMilestone,
  view: viewMergeRequests,
}

const epicActions: EpicActions = {
  assignIssue: assignIssueByText,
  removeIssue: removeIssueByText,
  promote: promoteIssue,
  assignChild: assignChildByText,
  removeChild: removeChildByText,
  removeParent: removeParentByText,
}

/** What writes each kind of mail, by the kind. */
const mailWriters: Readonly<Record<string, MailWriter>> = {
  [accessRequestKind]: writeAccessRequest,
  [confirmationKind]: writeConfirmation,
  [keyKind]: writeKeyMail,
  [memberKind]: writeMembership,
  [movedKind]: writeTransfer,
  [notificationKind]: writeNotification,
  [passwordResetKind]: writePasswordReset,
  [pipelineKind]: writePipeline,
  [welcomeKind]: writeWelcome,
}

/** Functions of higher layers and slices that lower ones call, by their names on `App`. */
export const tables = {
  answerPush,
  branchesInUse: listBranchesInUse,
  dependents,
  epicActions,
  findVisiblePipeline,
  mailFrame,
  mailWriters,
  mergeRequests,
  recordedMoves,
  reconcileWikiPush,
  renderFlavored: viewFlavoredAll,
  sharedBranches,
  subjects,
} satisfies Partial<App>
