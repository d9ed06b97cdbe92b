import type { deployKeysContract } from '@stithy/core'
import { listDeployKeys, listProjectDeployKeys } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { presentDeployKey, presentProjectDeployKey } from './deploy-key.presenter.ts'
import {
  addDeployKey,
  changeDeployKey,
  createPublicDeployKey,
  enableDeployKey,
  removeDeployKey,
  removeDeployKeyFromAll,
  requireProjectDeployKey,
} from './deploy-key.service.ts'

export const deployKeysHandlers: Handlers<typeof deployKeysContract> = {
  async all({ app, page }) {
    const found = await listDeployKeys(app.db, page)
    return { ...found, items: found.items.map(presentDeployKey) }
  },

  async createPublic({ app, caller, body }) {
    return presentDeployKey(await createPublicDeployKey(app, caller, body))
  },

  async removePublic({ app, params }) {
    await removeDeployKeyFromAll(app, params.key_id)
    return undefined
  },

  async list({ app, subject, page }) {
    const found = await listProjectDeployKeys(app.db, subject.row.id, page)
    return { ...found, items: found.items.map(presentProjectDeployKey) }
  },

  async show({ app, subject, params }) {
    const key = { projectId: subject.row.id, keyId: params.key_id }
    return presentProjectDeployKey(await requireProjectDeployKey(app.db, key))
  },

  async create({ app, caller, subject, body }) {
    return presentProjectDeployKey(await addDeployKey(app, caller, subject.row.id, body))
  },

  async update({ app, caller, subject, params, body }) {
    const key = { projectId: subject.row.id, keyId: params.key_id }
    return presentProjectDeployKey(await changeDeployKey(app, caller, key, body))
  },

  async remove({ app, subject, params, headers }) {
    const key = { projectId: subject.row.id, keyId: params.key_id }
    requireUnmodified(headers, (await requireProjectDeployKey(app.db, key)).updatedAt)
    await removeDeployKey(app, key)
    return undefined
  },

  async enable({ app, caller, subject, params }) {
    const key = { projectId: subject.row.id, keyId: params.key_id }
    return presentDeployKey(await enableDeployKey(app, caller, key))
  },
}
