import type { settingsContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { presentSettings } from './settings.presenter.ts'
import { changeSettings } from './settings.service.ts'

export const settingsHandlers: Handlers<typeof settingsContract> = {
  async show({ app }) {
    return presentSettings(app)
  },

  async update({ app, caller, body }) {
    await changeSettings(app, caller, body)
    return presentSettings(app)
  },
}
