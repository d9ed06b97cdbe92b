import type { GpgKey, userGpgKeysContract } from '@stithy/core'
import { type GpgKeyRow, listGpgKeys, type PageRequest } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Handlers } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { timestampText } from '../../platform/http/timestamp.ts'
import { requireHuman } from '../users/user.service.ts'
import { addGpgKey, removeGpgKey, requireGpgKey } from './gpg-key.service.ts'

const accepted = { message: '202 Accepted' }

function presentGpgKey({ id, key, createdAt }: GpgKeyRow): GpgKey {
  return { id, key, created_at: timestampText(createdAt) }
}

async function pageOfKeys(app: App, userId: number, page: PageRequest) {
  const found = await listGpgKeys(app.db, userId, page)
  return { ...found, items: found.items.map(presentGpgKey) }
}

export const userGpgKeyHandlers: Handlers<typeof userGpgKeysContract> = {
  async listOwn({ app, caller, page }) {
    return pageOfKeys(app, requireCaller(caller).id, page)
  },

  async showOwn({ app, caller, params }) {
    const { id: userId } = requireCaller(caller)
    return presentGpgKey(await requireGpgKey(app.db, { userId, id: params.key_id }))
  },

  async createOwn({ app, caller, body }) {
    return presentGpgKey(await addGpgKey(app, requireCaller(caller).id, body.key))
  },

  async revokeOwn({ app, caller, params }) {
    await removeGpgKey(app, { userId: requireCaller(caller).id, id: params.key_id })
    return accepted
  },

  async deleteOwn({ app, caller, params }) {
    await removeGpgKey(app, { userId: requireCaller(caller).id, id: params.key_id })
    return undefined
  },

  async list({ app, params, page }) {
    const { id } = await requireHuman(app, params.id)
    return pageOfKeys(app, id, page)
  },

  async show({ app, params }) {
    const { id: userId } = await requireHuman(app, params.id)
    return presentGpgKey(await requireGpgKey(app.db, { userId, id: params.key_id }))
  },

  async create({ app, params, body }) {
    const { id } = await requireHuman(app, params.id)
    return presentGpgKey(await addGpgKey(app, id, body.key))
  },

  async revoke({ app, params }) {
    const { id: userId } = await requireHuman(app, params.id)
    await removeGpgKey(app, { userId, id: params.key_id })
    return accepted
  },

  async delete({ app, params }) {
    const { id: userId } = await requireHuman(app, params.id)
    await removeGpgKey(app, { userId, id: params.key_id })
    return undefined
  },
}
