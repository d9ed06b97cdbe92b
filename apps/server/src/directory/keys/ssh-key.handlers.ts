import type { userKeysContract } from '@stithy/core'
import { listUserKeys, type PageRequest } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Caller, Handlers } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { requireHuman, requireUser } from '../users/user.service.ts'
import { presentSshKey } from './ssh-key.presenter.ts'
import { addUserKey, removeUserKey, requireUserKey } from './ssh-key.service.ts'

async function pageOfKeys(app: App, userId: number, page: PageRequest) {
  const found = await listUserKeys(app.db, userId, page)
  return { ...found, items: found.items.map(presentSshKey) }
}

/** The caller, who changes their own keys. */
function selfOf(caller: Caller) {
  const { id } = requireCaller(caller)
  return { callerId: id, ownerId: id }
}

export const userKeyHandlers: Handlers<typeof userKeysContract> = {
  async listOwn({ app, caller, page }) {
    return pageOfKeys(app, requireCaller(caller).id, page)
  },

  async showOwn({ app, caller, params }) {
    const { id: userId } = requireCaller(caller)
    return presentSshKey(await requireUserKey(app.db, { userId, id: params.key_id }))
  },

  async createOwn({ app, caller, body }) {
    return presentSshKey(await addUserKey(app, selfOf(caller), body))
  },

  async deleteOwn({ app, caller, params, headers }) {
    await removeUserKey(app, selfOf(caller), { id: params.key_id, headers })
    return undefined
  },

  async list({ app, params, page }) {
    const { id } = await requireUser(app, params.id)
    return pageOfKeys(app, id, page)
  },

  async show({ app, params }) {
    const { id: userId } = await requireUser(app, params.id)
    return presentSshKey(await requireUserKey(app.db, { userId, id: params.key_id }))
  },

  async create({ app, caller, params, body }) {
    const { id: ownerId } = await requireHuman(app, params.id)
    const actor = { callerId: requireCaller(caller).id, ownerId }
    return presentSshKey(await addUserKey(app, actor, body))
  },

  async delete({ app, caller, params, headers }) {
    const { id: ownerId } = await requireHuman(app, params.id)
    const actor = { callerId: requireCaller(caller).id, ownerId }
    await removeUserKey(app, actor, { id: params.key_id, headers })
    return undefined
  },
}
