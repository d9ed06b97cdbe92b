import type { appearanceContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { presentAppearance } from './appearance.presenter.ts'
import { changeAppearance, loadAppearance } from './appearance.service.ts'

export const appearanceHandlers: Handlers<typeof appearanceContract> = {
  async show({ app }) {
    return presentAppearance(await loadAppearance(app.db))
  },

  async update({ app, body, sent }) {
    return presentAppearance(await changeAppearance(app, body, sent))
  },
}
