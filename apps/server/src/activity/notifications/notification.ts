import type { NotifiedEvent } from '@stithy/core'

/** What a notification is about; it is loaded when needed, as it is then. */
export type NotificationTarget =
  | { type: 'issue' | 'merge_request' | 'snippet' | 'epic'; id: number }
  | { type: 'commit'; projectId: number; commitId: string }

/** Why a user is told, for the header `X-GitLab-NotificationReason` and the footer. */
export type NotificationReason = 'assigned' | 'mentioned' | 'subscribed'

/** Something that happened, of which users are told in one mail each. */
export interface NotifiedPart {
  event: NotifiedEvent
  /** Ids of the users whom the text mentions for the first time. */
  mentionedIds?: readonly number[] | undefined
  /** Ids of users who take part besides those of the item. */
  participantIds?: readonly number[] | undefined
  /** Ids before a change of assignees. */
  previousAssigneeIds?: readonly number[] | undefined
  /** Ids of new labels. */
  newLabelIds?: readonly number[] | undefined
  /** The day on which an issue is due, `YYYY-MM-DD`. */
  dueDate?: string | undefined
}

/** The payload of the job that finds the recipients of a change. */
export interface NotificationJob {
  /** Unique per change. */
  key: string
  /** Who did it; the author of an issue that is due, which nobody did. */
  actorId: number
  target: NotificationTarget
  noteId?: number | undefined
  parts: readonly NotifiedPart[]
}

/** The payload of a mail to one of them. */
export interface NotificationPayload {
  event: NotifiedEvent
  actorId: number
  target: NotificationTarget
  noteId?: number | undefined
  previousAssigneeIds?: readonly number[] | undefined
  newLabelIds?: readonly number[] | undefined
  dueDate?: string | undefined
  reason?: NotificationReason | undefined
}

/** Kind of the job that finds recipients. */
export const notifyKind = 'notifications.notify'
/** Kind of the mails. */
export const notificationKind = 'notification'
