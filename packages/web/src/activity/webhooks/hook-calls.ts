import type { GroupHook, ProjectHook } from '@stithy/core'
import type { Parent } from '../../directory/settings/settings-owner.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'

/** A webhook, as its form shows it. */
export type Hook = Omit<ProjectHook, 'project_id'> & Omit<GroupHook, 'group_id'>

type Client = PageCall['client']

/** The webhooks of a project or group: the SDK has a signature for each. */
export function listHooks({ client }: { client: Client }, parent: Parent, page: { page?: number }) {
  return 'projectId' in parent
    ? client.hooks.list({ ...parent, ...page })
    : client.hooks.list({ ...parent, ...page })
}

export function showHook(
  { client }: { client: Client },
  parent: Parent,
  hookId: number,
): Promise<Hook> {
  return 'projectId' in parent
    ? client.hooks.show({ ...parent, hookId })
    : client.hooks.show({ ...parent, hookId })
}

/** What the form of a webhook sends. */
export type HookValues = Omit<
  Parameters<Client['hooks']['create']>[0] & { url: string },
  'projectId' | 'groupId'
>

export function createHook(
  { client }: { client: Client },
  parent: Parent,
  values: HookValues,
): Promise<Hook> {
  return 'projectId' in parent
    ? client.hooks.create({ ...values, ...parent })
    : client.hooks.create({ ...values, ...parent })
}

export function updateHook(
  { client }: { client: Client },
  parent: Parent,
  { hookId, ...values }: HookValues & { hookId: number },
): Promise<Hook> {
  return 'projectId' in parent
    ? client.hooks.update({ ...values, ...parent, hookId })
    : client.hooks.update({ ...values, ...parent, hookId })
}
