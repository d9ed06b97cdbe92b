import type { labelsContract } from '@stithy/core'
import { listProjectLabels } from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { Caller, Handlers } from '../../platform/http/call.ts'
import { changeLabel, createLabel, removeLabel, subscribeToLabel } from './label.service.ts'
import { requireLabel, requireOwnLabel } from './label-lookup.ts'
import { promoteLabel } from './label-promotion.service.ts'
import { viewGroupLabel, viewLabel, viewLabels } from './label-views.service.ts'

function labelParent({ row }: ProjectSubject) {
  return { projectId: row.id, namespaceId: row.namespaceId }
}

interface Change {
  app: App
  caller: Caller
  subject: ProjectSubject
}

interface Edit {
  new_name?: string | undefined
  color?: string | undefined
  description?: string | undefined
  priority?: number | null | undefined
}

async function change({ app, caller, subject }: Change, name: string, edit: Edit) {
  const { new_name: title, color, description, priority } = edit
  const label = await requireOwnLabel(app, subject, name)
  await changeLabel(app, labelParent(subject), label, { title, color, description, priority })
  return viewLabel(app, caller, await requireLabel(app, subject, String(label.id)))
}

async function subscribe({ app, caller, subject }: Change, name: string, subscribed: boolean) {
  const label = await requireLabel(app, subject, name)
  await subscribeToLabel(app, caller, label, subscribed)
  return viewLabel(app, caller, label)
}

export const labelHandlers: Handlers<typeof labelsContract> = {
  async list({ app, caller, subject, query, page }) {
    const found = await listProjectLabels(app.db, labelParent(subject), query.name, page)
    return { ...found, items: await viewLabels(app, caller, found.items) }
  },

  async show({ app, caller, subject, params }) {
    return viewLabel(app, caller, await requireLabel(app, subject, params.label_id))
  },

  async create({ app, caller, subject, body }) {
    const { name, ...input } = body
    const label = await createLabel(app, labelParent(subject), { ...input, title: name })
    return viewLabel(app, caller, { ...label, priority: body.priority ?? null })
  },

  async update({ body, ...call }) {
    return change(call, body.name, body)
  },

  async updateOne({ params, body, ...call }) {
    return change(call, params.label_id, body)
  },

  async remove({ app, subject, query, headers }) {
    await removeLabel(app, await requireOwnLabel(app, subject, query.name), headers)
  },

  async removeOne({ app, subject, params, headers }) {
    await removeLabel(app, await requireOwnLabel(app, subject, params.label_id), headers)
  },

  async subscribe({ params, ...call }) {
    return subscribe(call, params.label_id, true)
  },

  async unsubscribe({ params, ...call }) {
    return subscribe(call, params.label_id, false)
  },

  async promote({ app, caller, subject, params }) {
    const label = await requireOwnLabel(app, subject, params.label_id)
    return viewGroupLabel(app, caller, await promoteLabel(app, caller, subject, label))
  },
}
