import type { groupBoardsContract } from '@stithy/core'
import type { Handlers } from '../http/call.ts'
import { boardCalls } from './board-calls.ts'
import { groupPlace } from './board-place.ts'

export const groupBoardHandlers: Handlers<typeof groupBoardsContract> = {
  async list({ app, caller, subject, page }) {
    return boardCalls.list({ app, caller, place: groupPlace(subject) }, page)
  },

  async show({ app, caller, subject, params }) {
    return boardCalls.show({ app, caller, place: groupPlace(subject) }, params.board_id)
  },

  async create({ app, caller, subject, body }) {
    return boardCalls.create({ app, caller, place: groupPlace(subject) }, body.name)
  },

  async update({ app, caller, subject, params, body }) {
    return boardCalls.update({ app, caller, place: groupPlace(subject) }, params.board_id, body)
  },

  async remove({ app, caller, subject, params }) {
    await boardCalls.remove({ app, caller, place: groupPlace(subject) }, params.board_id)
  },

  async listLists({ app, caller, subject, params, page }) {
    return boardCalls.listLists({ app, caller, place: groupPlace(subject) }, params.board_id, page)
  },

  async showList({ app, caller, subject, params }) {
    const call = { app, caller, place: groupPlace(subject) }
    return boardCalls.showList(call, params.board_id, params.list_id)
  },

  async createList({ app, caller, subject, params, body }) {
    return boardCalls.createList({ app, caller, place: groupPlace(subject) }, params.board_id, body)
  },

  async moveList({ app, caller, subject, params, body }) {
    return boardCalls.moveList({ app, caller, place: groupPlace(subject) }, params, body.position)
  },

  async removeList({ app, caller, subject, params }) {
    const call = { app, caller, place: groupPlace(subject) }
    await boardCalls.removeList(call, params.board_id, params.list_id)
  },
}
