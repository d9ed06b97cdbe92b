import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, oneOf, optional, paid, text } from '../../platform/contract/fields.ts'
import { emailText } from '../../platform/contract/text-options.ts'
import {
  GlobalNotificationSetting,
  globalNotificationLevels,
  NotificationSetting,
  sourceNotificationLevels,
} from './notification-setting.schema.ts'

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
const chosen = 'The event flags apply at level `custom` alone; they are kept at other levels.'

/** Notification settings of the caller: the global one, and those for a group or project. */
export const notificationSettingsContract = {
  show: endpoint({
    name: 'notificationSettings.show',
    method: 'GET',
    path: '/notification_settings',
    response: { 200: GlobalNotificationSetting },
    auth: {},
    docs: { summary: 'Show notification settings of the current user' },
  }),
  update: endpoint({
    name: 'notificationSettings.update',
    method: 'PUT',
    path: '/notification_settings',
    body: z.object({
      level: oneOf(globalNotificationLevels).optional(),
      notification_email: text(emailText).optional(),
      ...events,
    }),
    response: { 200: GlobalNotificationSetting },
    auth: { on: 'instance', ability: 'update_own_settings' },
    errors: ['validation_failed'],
    docs: { summary: 'Update notification settings of the current user', description: chosen },
  }),
  showOfGroup: endpoint({
    name: 'notificationSettings.show',
    method: 'GET',
    path: '/groups/:id/notification_settings',
    response: { 200: NotificationSetting },
    auth: { on: 'group', ability: 'read_group' },
    docs: { summary: 'Show notification settings for a group' },
  }),
  updateOfGroup: endpoint({
    name: 'notificationSettings.update',
    method: 'PUT',
    path: '/groups/:id/notification_settings',
    body: sourceBody,
    response: { 200: NotificationSetting },
    auth: { on: 'group', ability: 'follow_group' },
    docs: { summary: 'Update notification settings for a group', description: chosen },
  }),
  showOfProject: endpoint({
    name: 'notificationSettings.show',
    method: 'GET',
    path: '/projects/:id/notification_settings',
    response: { 200: NotificationSetting },
    auth: { on: 'project', ability: 'read_project' },
    docs: { summary: 'Show notification settings for a project' },
  }),
  updateOfProject: endpoint({
    name: 'notificationSettings.update',
    method: 'PUT',
    path: '/projects/:id/notification_settings',
    body: sourceBody,
    response: { 200: NotificationSetting },
    auth: { on: 'project', ability: 'follow' },
    docs: { summary: 'Update notification settings for a project', description: chosen },
  }),
}
