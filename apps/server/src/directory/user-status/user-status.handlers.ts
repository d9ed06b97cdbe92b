import { statusOf, type userStatusContract, userStatusErrors, validationFailed } from '@stithy/core'
import { deleteUserStatus, findUserStatus, setUserStatus } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { findEmoji } from '../../platform/text/emoji/emoji.ts'
import { requireUserByRef } from '../users/user.service.ts'
import { presentUserStatus } from './user-status.presenter.ts'

export const userStatusHandlers: Handlers<typeof userStatusContract> = {
  async own({ app, caller }) {
    return presentUserStatus(await findUserStatus(app.db, requireCaller(caller).id))
  },

  async ofUser({ app, params }) {
    const { id } = await requireUserByRef(app, params.user_id)
    return presentUserStatus(await findUserStatus(app.db, id))
  },

  async set({ app, caller, body }) {
    const { id: userId } = requireCaller(caller)
    const status = statusOf(body.emoji, body.message)
    const errors = status && userStatusErrors(status, (name) => findEmoji(name) !== undefined)
    if (errors !== undefined) throw validationFailed(errors)
    await app.db.transaction((tx) =>
      status === undefined
        ? deleteUserStatus(tx, userId)
        : setUserStatus(tx, { userId, ...status }),
    )
    return presentUserStatus(status)
  },
}
