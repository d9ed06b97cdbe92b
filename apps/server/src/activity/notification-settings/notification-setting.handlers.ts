import type { notificationSettingsContract } from '@stithy/core'
import {
  chooseNotificationEmail,
  notificationEmailOf,
} from '../../directory/users/emails/notification-email.service.ts'
import type { Handlers } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { presentChoice, presentGlobalChoice } from './notification-setting.presenter.ts'
import { changeChoice, findChoice, scopeOf } from './notification-setting.service.ts'

export const notificationSettingsHandlers: Handlers<typeof notificationSettingsContract> = {
  async show({ app, caller }) {
    const choice = await findChoice(app.db, scopeOf(caller, 'global'))
    const email = await notificationEmailOf(app, requireCaller(caller))
    return presentGlobalChoice(app.config, choice, email)
  },

  async update({ app, caller, body }) {
    const user = requireCaller(caller)
    const { notification_email: address, ...input } = body
    const choice = await changeChoice(app, scopeOf(caller, 'global'), input, async (tx) => {
      if (address !== undefined) await chooseNotificationEmail(tx, user.id, address)
    })
    return presentGlobalChoice(app.config, choice, await notificationEmailOf(app, user))
  },

  async showOfGroup({ app, caller, subject }) {
    const scope = scopeOf(caller, 'group', subject.row.id)
    return presentChoice(app.config, await findChoice(app.db, scope))
  },

  async updateOfGroup({ app, caller, subject, body }) {
    const scope = scopeOf(caller, 'group', subject.row.id)
    return presentChoice(app.config, await changeChoice(app, scope, body))
  },

  async showOfProject({ app, caller, subject }) {
    const scope = scopeOf(caller, 'project', subject.row.id)
    return presentChoice(app.config, await findChoice(app.db, scope))
  },

  async updateOfProject({ app, caller, subject, body }) {
    const scope = scopeOf(caller, 'project', subject.row.id)
    return presentChoice(app.config, await changeChoice(app, scope, body))
  },
}
