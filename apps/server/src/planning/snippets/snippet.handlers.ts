import type { snippetsContract } from '@stithy/core'
import { listPublicSnippets, listSnippetsOfAuthor } from '@stithy/store'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Handlers } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { changeBy } from '../items/changes/change-by.ts'
import { presentContent } from './snippet.presenter.ts'
import { changeSnippet, createSnippet, removeSnippet, requireContent } from './snippet.service.ts'
import { viewPersonalSnippet, viewPersonalSnippets } from './snippet-views.service.ts'

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

  async show({ app, subject }) {
    return viewPersonalSnippet(app, subject)
  },

  async raw({ app, subject }) {
    return presentContent(subject.row, await requireContent(app, subject), { attachment: true })
  },

  async create({ app, caller, body }) {
    return viewPersonalSnippet(app, await createSnippet(app, caller, undefined, body))
  },

  async update({ app, caller, subject, body }) {
    const changed = await changeSnippet(app, caller, subject, body)
    return viewPersonalSnippet(app, changed)
  },

  async remove({ app, caller, subject, headers }) {
    requireUnmodified(headers, subject.row.updatedAt)
    return removeSnippet(app, changeBy(app, caller), subject)
  },
}
