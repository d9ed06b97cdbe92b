import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { boolean, oneOf, optional, paid, text } from '../contract/fields.ts'
import {
  GlobalNotificationSetting,
  globalNotificationLevels,
  NotificationSetting,
  sourceNotificationLevels,
} from './notification-setting.schema.ts'

const tag = 'Notification settings'

const events = optional({
  new_note: boolean(),
  new_issue: boolean(),
  reopen_issue: boolean(),
  close_issue: boolean(),
  reassign_issue: boolean(),
  issue_due: boolean(),
  new_merge_request: boolean(),
  push_to_merge_request: boolean(),
  reopen_merge_request: boolean(),
  close_merge_request: boolean(),
  reassign_merge_request: boolean(),
  merge_merge_request: boolean(),
  failed_pipeline: boolean(),
  success_pipeline: boolean(),
  new_epic: paid(boolean()),
})

const sourceBody = z.object({ level: oneOf(sourceNotificationLevels).optional(), ...events })
const chosen = 'The events count at level `custom`, and are kept at the other ones.'

/** Catalogue: users, Notification settings. The settings are those of the caller. */
export const notificationSettingsContract = {
  show: endpoint({
    method: 'GET',
    path: '/notification_settings',
    response: { 200: GlobalNotificationSetting },
    auth: {},
    docs: { summary: 'Show what the current user hears of', tag },
  }),
  update: endpoint({
    method: 'PUT',
    path: '/notification_settings',
    body: z.object({
      level: oneOf(globalNotificationLevels).optional(),
      notification_email: text().optional(),
      ...events,
    }),
    response: { 200: GlobalNotificationSetting },
    auth: {},
    errors: ['validation_failed'],
    docs: { summary: 'Change what the current user hears of', tag, description: chosen },
  }),
  showOfGroup: endpoint({
    method: 'GET',
    path: '/groups/:id/notification_settings',
    response: { 200: NotificationSetting },
    auth: { on: 'group', ability: 'read_group' },
    docs: { summary: 'Show what the current user hears of in a group', tag },
  }),
  updateOfGroup: endpoint({
    method: 'PUT',
    path: '/groups/:id/notification_settings',
    body: sourceBody,
    response: { 200: NotificationSetting },
    auth: { on: 'group', ability: 'follow_group' },
    docs: { summary: 'Change what the current user hears of in a group', tag, description: chosen },
  }),
  showOfProject: endpoint({
    method: 'GET',
    path: '/projects/:id/notification_settings',
    response: { 200: NotificationSetting },
    auth: { on: 'project', ability: 'read_project' },
    docs: { summary: 'Show what the current user hears of in a project', tag },
  }),
  updateOfProject: endpoint({
    method: 'PUT',
    path: '/projects/:id/notification_settings',
    body: sourceBody,
    response: { 200: NotificationSetting },
    auth: { on: 'project', ability: 'follow' },
    docs: {
      summary: 'Change what the current user hears of in a project',
      tag,
      description: chosen,
    },
  }),
}
