import type { epicLinksContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { createEpic } from '../epics/epic-create.service.ts'
import { viewEpic } from '../epics/epic-views.service.ts'
import { presentLinkedEpic } from './epic-link.presenter.ts'
import { assignChild, listChildren, moveChild, unassignChild } from './epic-link.service.ts'

export const epicLinkHandlers: Handlers<typeof epicLinksContract> = {
  async list({ app, caller, subject, query, page }) {
    return listChildren(app, caller, subject, query, page)
  },

  async create({ app, caller, subject, body: { title } }) {
    const child = await createEpic(app, caller, subject.group, { title, parent: subject })
    return presentLinkedEpic(app.config, child.row, subject.row)
  },

  async assign({ app, caller, subject, params }) {
    const child = await assignChild(app, caller, subject, params.child_epic_id)
    return viewEpic(app, caller, child)
  },

  async move({ app, caller, subject, params, body }) {
    await moveChild(app, caller, subject, params.child_epic_id, body)
    return (await listChildren(app, caller, subject, {}, { page: 1, perPage: 100 })).items
  },

  async remove({ app, caller, subject, params }) {
    const child = await unassignChild(app, caller, subject, params.child_epic_id)
    return viewEpic(app, caller, child)
  },
}
