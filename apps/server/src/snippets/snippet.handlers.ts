import type { snippetsContract } from '@stithy/core'
import { listPublicSnippets, listSnippetsOfAuthor } from '@stithy/store'
import type { Handlers } from '../http/call.ts'
import { dayOf } from '../members/day.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { presentContent } from './snippet.presenter.ts'
import { changeSnippet, contentOf, createSnippet, removeSnippet } from './snippet.service.ts'
import { requireAnySnippet, requireSnippet } from './snippet-found.ts'
import { viewPersonalSnippet, viewPersonalSnippets } from './snippet-views.service.ts'

const neededOnUpdate = ['title', 'file_name', 'content', 'visibility'] as const

export const snippetsHandlers: Handlers<typeof snippetsContract> = {
  async list({ app, caller, page }) {
    const authorId = requireCaller(caller).id
    const viewer = { caller: caller.facts, today: dayOf(app.now()) }
    return viewPersonalSnippets(
      app,
      await listSnippetsOfAuthor(app.db, { ...viewer, authorId }, page),
    )
  },

  async listPublic({ app, caller, page }) {
    const viewer = { caller: caller.facts, today: dayOf(app.now()) }
    return viewPersonalSnippets(app, await listPublicSnippets(app.db, viewer, page))
  },

  async show({ app, caller, params }) {
    return viewPersonalSnippet(app, await requireAnySnippet(app, caller, params.snippet_id))
  },

  async raw({ app, caller, params }) {
    const item = await requireAnySnippet(app, caller, params.snippet_id)
    return presentContent(item.row, await contentOf(app, item), { attachment: true })
  },

  async create({ app, caller, body }) {
    return viewPersonalSnippet(app, await createSnippet(app, caller, undefined, body))
  },

  async update({ app, caller, params, body }) {
    const { snippet_id: id } = params
    const item = await requireSnippet(app, caller, undefined, id, 'update_snippet')
    const changed = await changeSnippet(app, caller, item, body, neededOnUpdate)
    return viewPersonalSnippet(app, changed)
  },

  async remove({ app, caller, params, headers }) {
    const { snippet_id: id } = params
    const item = await requireSnippet(app, caller, undefined, id, 'update_snippet')
    return removeSnippet(app, item, headers)
  },
}
