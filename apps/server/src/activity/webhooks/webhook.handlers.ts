import type { projectHooksContract } from '@stithy/core'
import { listWebhooks } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { presentHook, presentHooks } from './webhook.presenter.ts'
import { addHook, changeHook, removeHook, requireHook } from './webhook.service.ts'

export const projectHooksHandlers: Handlers<typeof projectHooksContract> = {
  async list({ app, subject, page }) {
    const found = await listWebhooks(app.db, subject.row.id, page)
    return { ...found, items: presentHooks(found.items) }
  },

  async show({ app, subject, params }) {
    return presentHook(await requireHook(app.db, subject.row.id, params.hook_id))
  },

  async create({ app, subject, body }) {
    return presentHook(await addHook(app, subject.row.id, body))
  },

  async update({ app, subject, params, body }) {
    return presentHook(await changeHook(app, subject.row.id, params.hook_id, body))
  },

  async remove({ app, subject, params, headers }) {
    await removeHook(app, subject.row.id, params.hook_id, headers)
    return undefined
  },
}
