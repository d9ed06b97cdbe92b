import type { boardsContract } from '@stithy/core'
import type { Handlers } from '../http/call.ts'
import { boardCalls } from './board-calls.ts'
import { projectPlace } from './board-place.ts'

export const boardHandlers: Handlers<typeof boardsContract> = {
  async list({ app, caller, subject, page }) {
    return boardCalls.list({ app, caller, place: projectPlace(subject) }, page)
  },

  async show({ app, caller, subject, params }) {
    return boardCalls.show({ app, caller, place: projectPlace(subject) }, params.board_id)
  },

  async create({ app, caller, subject, body }) {
    return boardCalls.create({ app, caller, place: projectPlace(subject) }, body.name)
  },

  async update({ app, caller, subject, params, body }) {
    return boardCalls.update({ app, caller, place: projectPlace(subject) }, params.board_id, body)
  },

  async remove({ app, caller, subject, params }) {
    await boardCalls.remove({ app, caller, place: projectPlace(subject) }, params.board_id)
  },

  async listLists({ app, caller, subject, params, page }) {
    return boardCalls.listLists(
      { app, caller, place: projectPlace(subject) },
      params.board_id,
      page,
    )
  },

  async showList({ app, caller, subject, params }) {
    const call = { app, caller, place: projectPlace(subject) }
    return boardCalls.showList(call, params.board_id, params.list_id)
  },

  async createList({ app, caller, subject, params, body }) {
    return boardCalls.createList(
      { app, caller, place: projectPlace(subject) },
      params.board_id,
      body,
    )
  },

  async moveList({ app, caller, subject, params, body }) {
    return boardCalls.moveList({ app, caller, place: projectPlace(subject) }, params, body.position)
  },

  async removeList({ app, caller, subject, params }) {
    const call = { app, caller, place: projectPlace(subject) }
    await boardCalls.removeList(call, params.board_id, params.list_id)
  },
}
