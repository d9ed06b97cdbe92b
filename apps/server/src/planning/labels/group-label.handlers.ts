import type { groupLabelsContract } from '@stithy/core'
import { listGroupLabels } from '@stithy/store'
import type { GroupSubject } from '../../directory/groups/group-subject.ts'
import type { App } from '../../platform/app.ts'
import type { Caller, Handlers } from '../../platform/http/call.ts'
import { changeLabel, createLabel, removeLabel, subscribeToLabel } from './label.service.ts'
import { requireGroupLabel, requireOwnGroupLabel } from './label-lookup.ts'
import { viewGroupLabel, viewGroupLabels } from './label-views.service.ts'

interface Change {
  app: App
  caller: Caller
  subject: GroupSubject
}

interface Edit {
  new_name?: string | undefined
  color?: string | undefined
  description?: string | undefined
}

async function change({ app, caller, subject }: Change, name: string, edit: Edit) {
  const { new_name: title, color, description } = edit
  const label = await requireOwnGroupLabel(app, subject, name)
  const parent = { groupId: subject.row.id }
  return viewGroupLabel(
    app,
    caller,
    await changeLabel(app, parent, label, { title, color, description }),
  )
}

async function subscribe({ app, caller, subject }: Change, name: string, subscribed: boolean) {
  const label = await requireGroupLabel(app, subject, name)
  await subscribeToLabel(app, caller, label, subscribed)
  return viewGroupLabel(app, caller, label)
}

export const groupLabelHandlers: Handlers<typeof groupLabelsContract> = {
  async list({ app, caller, subject, query, page }) {
    const { name: title, include_ancestor_groups: inherits = true } = query
    const filter = { title, isOwn: !inherits }
    const found = await listGroupLabels(app.db, subject.row.id, filter, page)
    return { ...found, items: await viewGroupLabels(app, caller, found.items) }
  },

  async show({ app, caller, subject, params }) {
    return viewGroupLabel(app, caller, await requireGroupLabel(app, subject, params.label_id))
  },

  async create({ app, caller, subject, body }) {
    const { name, ...input } = body
    const label = await createLabel(app, { groupId: subject.row.id }, { ...input, title: name })
    return viewGroupLabel(app, caller, label)
  },

  async update({ body, ...call }) {
    return change(call, body.name, body)
  },

  async updateOne({ params, body, ...call }) {
    return change(call, params.label_id, body)
  },

  async remove({ app, subject, query, headers }) {
    await removeLabel(app, await requireOwnGroupLabel(app, subject, query.name), headers)
  },

  async removeOne({ app, subject, params, headers }) {
    await removeLabel(app, await requireOwnGroupLabel(app, subject, params.label_id), headers)
  },

  async subscribe({ params, ...call }) {
    return subscribe(call, params.label_id, true)
  },

  async unsubscribe({ params, ...call }) {
    return subscribe(call, params.label_id, false)
  },
}
