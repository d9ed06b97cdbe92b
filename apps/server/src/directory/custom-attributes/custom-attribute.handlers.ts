import type {
  groupCustomAttributesContract,
  projectCustomAttributesContract,
  userCustomAttributesContract,
} from '@stithy/core'
import type { AttributeOwner } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Caller, Handlers } from '../../platform/http/call.ts'
import { requireGroup } from '../groups/group-subject.ts'
import { requireProject } from '../projects/project-subject.ts'
import { requireUserByRef } from '../users/user.service.ts'
import {
  deleteAttribute,
  loadAttributesPage,
  setAttribute,
  showAttribute,
} from './custom-attribute.service.ts'

type AttributeHandlers = Handlers<typeof userCustomAttributesContract> &
  Handlers<typeof groupCustomAttributesContract> &
  Handlers<typeof projectCustomAttributesContract>

type FindOwner = (app: App, caller: Caller, ref: string) => Promise<AttributeOwner>

/** Builds the four handlers for the type of owner that `find` loads. */
function handlersFor(find: FindOwner): AttributeHandlers {
  return {
    list: async ({ app, caller, params, page }) =>
      loadAttributesPage(app, await find(app, caller, params.id), page),
    show: async ({ app, caller, params }) =>
      showAttribute(app, await find(app, caller, params.id), params.key),
    set: async ({ app, caller, params, body }) =>
      setAttribute(app, await find(app, caller, params.id), params.key, body.value),
    delete: async ({ app, caller, params }) =>
      deleteAttribute(app, await find(app, caller, params.id), params.key),
  }
}

export const userCustomAttributesHandlers = handlersFor(async (app, _, ref) => {
  const user = await requireUserByRef(app, ref)
  return { ownerKind: 'user', ownerId: user.id }
})

export const groupCustomAttributesHandlers = handlersFor(async (app, caller, ref) => {
  const { row } = await requireGroup(app, ref, caller)
  return { ownerKind: 'group', ownerId: row.id }
})

export const projectCustomAttributesHandlers = handlersFor(async (app, caller, ref) => {
  const { row } = await requireProject(app, ref, caller)
  return { ownerKind: 'project', ownerId: row.id }
})
