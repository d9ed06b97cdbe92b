import type { epicsContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { changeBy } from '../items/changes/change-by.ts'
import { createEpic } from './epic-create.service.ts'
import { removeEpic } from './epic-delete.service.ts'
import { loadEpicsPage } from './epic-list.service.ts'
import { changeOf, settingsOf } from './epic-parameters.ts'
import { requireParent } from './epic-parent.service.ts'
import { viewRollUp } from './epic-roll-up.service.ts'
import { updateEpic } from './epic-update.service.ts'
import { viewEpic } from './epic-views.service.ts'

export const epicHandlers: Handlers<typeof epicsContract> = {
  async list({ app, caller, subject, query, page }) {
    return loadEpicsPage(app, caller, subject, query, page)
  },

  async show({ app, caller, subject }) {
    const epic = await viewEpic(app, caller, subject)
    return { ...epic, ...(await viewRollUp(app, caller, subject.row)) }
  },

  async create({ app, caller, subject, body }) {
    const { title, parent_id: parentId } = body
    const parent =
      parentId === undefined ? undefined : await requireParent(app, caller, subject, parentId)
    const input = { ...settingsOf(body), title, parent }
    return viewEpic(app, caller, await createEpic(app, caller, subject, input))
  },

  async update({ app, caller, subject, body }) {
    return viewEpic(app, caller, await updateEpic(app, caller, subject, changeOf(body)))
  },

  async remove({ app, caller, subject, headers }) {
    requireUnmodified(headers, subject.row.updatedAt)
    return removeEpic(app, changeBy(app, caller), subject)
  },
}
