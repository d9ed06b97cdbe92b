import type { notificationSettingsContract } from '@stithy/core'
import type { Handlers } from '../http/call.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { presentChoice, presentGlobalChoice } from './notification-setting.presenter.ts'
import { changeChoice, checkAddress, findChoice, placeOf } from './notification-setting.service.ts'

export const notificationSettingsHandlers: Handlers<typeof notificationSettingsContract> = {
  async show({ app, caller }) {
    const choice = await findChoice(app.db, placeOf(caller, 'global'))
    return presentGlobalChoice(app.config, choice, requireCaller(caller).email)
  },

  async update({ app, caller, body }) {
    const user = requireCaller(caller)
    const { notification_email: address, ...input } = body
    await checkAddress(app, user, address)
    const choice = await changeChoice(app, placeOf(caller, 'global'), input)
    return presentGlobalChoice(app.config, choice, user.email)
  },

  async showOfGroup({ app, caller, subject }) {
    const place = placeOf(caller, 'group', subject.row.id)
    return presentChoice(app.config, await findChoice(app.db, place))
  },

  async updateOfGroup({ app, caller, subject, body }) {
    const place = placeOf(caller, 'group', subject.row.id)
    return presentChoice(app.config, await changeChoice(app, place, body))
  },

  async showOfProject({ app, caller, subject }) {
    const place = placeOf(caller, 'project', subject.row.id)
    return presentChoice(app.config, await findChoice(app.db, place))
  },

  async updateOfProject({ app, caller, subject, body }) {
    const place = placeOf(caller, 'project', subject.row.id)
    return presentChoice(app.config, await changeChoice(app, place, body))
  },
}
