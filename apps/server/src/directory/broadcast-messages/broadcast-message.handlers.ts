import type { broadcastMessagesContract } from '@stithy/core'
import { listBroadcastMessages } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { presentBroadcastMessage } from './broadcast-message.presenter.ts'
import {
  addBroadcastMessage,
  changeBroadcastMessage,
  removeBroadcastMessage,
  requireBroadcastMessage,
} from './broadcast-message.service.ts'

export const broadcastMessageHandlers: Handlers<typeof broadcastMessagesContract> = {
  async list({ app, page }) {
    const found = await listBroadcastMessages(app.db, page)
    const now = app.now()
    return { ...found, items: found.items.map((row) => presentBroadcastMessage(row, now)) }
  },

  async show({ app, params }) {
    const row = await requireBroadcastMessage(app.db, params.broadcast_message_id)
    return presentBroadcastMessage(row, app.now())
  },

  async create({ app, body }) {
    return presentBroadcastMessage(await addBroadcastMessage(app, body), app.now())
  },

  async update({ app, params, body }) {
    const row = await changeBroadcastMessage(app, params.broadcast_message_id, body)
    return presentBroadcastMessage(row, app.now())
  },

  async delete({ app, params, headers }) {
    await removeBroadcastMessage(app, params.broadcast_message_id, headers)
    return undefined
  },
}
