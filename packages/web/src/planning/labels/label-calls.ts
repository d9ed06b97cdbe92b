import type { PagePromise } from '@stithy/client'
import type { GroupLabel, Label } from '@stithy/core'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { missing } from '../../platform/pages/refusal.ts'

interface LabelFields {
  color?: string
  description?: string
  /** Of projects. */
  priority?: number | null
}

interface ListQuery {
  page?: number
  per_page?: number
  /** Of groups. */
  include_ancestor_groups?: boolean
}

/** The calls of the labels of a project or group. */
export interface LabelCalls {
  list: (query: ListQuery) => PagePromise<Label | GroupLabel>
  show: (id: string) => Promise<Label | GroupLabel>
  create: (label: LabelFields & { name: string; color: string }) => Promise<unknown>
  update: (id: string, label: LabelFields & { new_name?: string }) => Promise<unknown>
  remove: (id: string) => Promise<unknown>
  subscribe: (id: string) => Promise<unknown>
  unsubscribe: (id: string) => Promise<unknown>
  /** Absent in groups. */
  promote?: (id: string) => Promise<unknown>
}

export function labelCalls({ client, params }: Pick<PageCall, 'client' | 'params'>): LabelCalls {
  const { labels } = client
  const { project: projectId, group: groupId = '' } = params
  if (projectId === undefined) {
    return {
      list: (query) => labels.list({ groupId, ...query }),
      show: (labelId) => labels.show({ groupId, labelId }),
      create: ({ priority: _, ...label }) => labels.create({ groupId, ...label }),
      update: (labelId, { priority: _, ...label }) => labels.update({ groupId, labelId, ...label }),
      remove: (labelId) => labels.delete({ groupId, labelId }),
      subscribe: (labelId) => labels.subscribe({ groupId, labelId }),
      unsubscribe: (labelId) => labels.unsubscribe({ groupId, labelId }),
    }
  }
  return {
    list: ({ include_ancestor_groups: _, ...query }) => labels.list({ projectId, ...query }),
    show: (labelId) => labels.show({ projectId, labelId }),
    create: (label) => labels.create({ projectId, ...label }),
    update: (labelId, label) => labels.update({ projectId, labelId, ...label }),
    remove: (labelId) => labels.delete({ projectId, labelId }),
    subscribe: (labelId) => labels.subscribe({ projectId, labelId }),
    unsubscribe: (labelId) => labels.unsubscribe({ projectId, labelId }),
    promote: (labelId) => labels.promote({ projectId, labelId }),
  }
}

/**
 * A label that a project or group has itself. Those of the groups above are listed with it, but are
 * changed there.
 * @throws StithyError 404
 */
export async function loadOwnLabel(
  { client, params }: Pick<PageCall, 'client' | 'params'>,
  labelId: string,
): Promise<Label | GroupLabel> {
  const { project: projectId, group: groupId = '' } = params
  if (projectId !== undefined) {
    const label = await client.labels.show({ projectId, labelId })
    if (!label.is_project_label) throw missing()
    return label
  }
  const label = await client.labels.show({ groupId, labelId })
  const query = { name: label.name, include_ancestor_groups: false }
  const { items } = await client.labels.list({ groupId, ...query })
  if (!items.some(({ id }) => id === label.id)) throw missing()
  return label
}
