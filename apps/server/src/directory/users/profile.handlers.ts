import type { userProfileContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { changeProfile } from './profile.service.ts'
import { presentAdminUser, presentCurrentUser } from './user.presenter.ts'
import { viewUser } from './user-views.service.ts'

export const userProfileHandlers: Handlers<typeof userProfileContract> = {
  async update({ app, caller, body, sent }) {
    const row = await changeProfile(app, requireCaller(caller).id, body, sent)
    const view = await viewUser(app, row)
    return caller.facts.admin
      ? presentAdminUser(app.config, view)
      : presentCurrentUser(app.config, view)
  },
}
