import { StithyError } from '@stithy/client'
import { fieldIds } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import type { Reply } from '../../platform/pages/reply.ts'
import { chosenLevel, conclude, failure } from './member-actions.ts'
import { forms } from './member-forms.ts'

/** `POST …/shares`: gives the members of a group access. */
export async function addShare(call: PageCall): Promise<Reply> {
  const { client, form, params } = call
  const name = forms.share
  const path = form.text('group').trim()
  const groupId = await findGroup(call, path)
  if (groupId === undefined) {
    return conclude(call, name, failure(`${name}-group`, `There is no group ${path}.`))
  }
  const share = {
    group_id: groupId,
    group_access: chosenLevel(form),
    expires_at: form.text('expires_at'),
  }
  const fields = {
    ...fieldIds(name, ['expires_at']),
    group_id: `${name}-group`,
    group_access: `${name}-access_level`,
  }
  const { project } = params
  const shared =
    project === undefined
      ? await submit(client.groups.share({ groupId: params.group ?? '', ...share }), fields)
      : await submit(client.projects.share({ projectId: project, ...share }), fields)
  return conclude(call, name, shared)
}

async function findGroup({ client }: PageCall, path: string): Promise<number | undefined> {
  if (path === '') return undefined
  try {
    return (await client.groups.show({ groupId: path, with_projects: false })).id
  } catch (error) {
    if (error instanceof StithyError && error.status === 404) return undefined
    throw error
  }
}

/** `POST …/shares/:id/remove`. */
export async function removeShare(call: PageCall): Promise<Reply> {
  const { client, params } = call
  const id = Number(params.id)
  const { project } = params
  const removed =
    project === undefined
      ? await submit(client.groups.unshare({ groupId: params.group ?? '', sharedWithGroupId: id }))
      : await submit(client.projects.unshare({ projectId: project, groupId: id }))
  return conclude(call, '', removed)
}
