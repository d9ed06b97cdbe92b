import { StithyError } from '@stithy/client'
import type { PageCall } from '../pages/page-call.ts'
import { forbidden } from '../pages/refusal.ts'
import type { Route } from './route.ts'

/** Shows a page. */
type Show = Route['handle']

/**
 * The page of a form, or what it does, for those who may make the call that the form ends in. Others
 * get the error of that call instead of a form: 404 for what is hidden from them, 403, or 401 for
 * visitors, who are asked to sign in.
 * @param check asks for the permission, by `call.permits`
 */
export function permitted(check: (call: PageCall) => PromiseLike<unknown>, show: Show): Show {
  return async (call) => {
    await check(call).then(undefined, (error: unknown) => refuse(call, error))
    return show(call)
  }
}

/** Visitors aren't told what is hidden by being asked to sign in; no refusal is a conflict here. */
async function refuse(call: PageCall, error: unknown): Promise<never> {
  if (!(error instanceof StithyError)) throw error
  if (error.status === 401) await assertVisible(call)
  throw error.status === 409 ? forbidden(error.message) : error
}

/** @throws StithyError 404 if the viewer may not see what the page belongs to */
async function assertVisible({ client, params }: PageCall): Promise<void> {
  const { project, group } = params
  if (project !== undefined) await client.projects.show({ projectId: project })
  if (group !== undefined) await client.groups.show({ groupId: group, with_projects: false })
}
