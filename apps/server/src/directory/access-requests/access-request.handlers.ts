import type { groupAccessRequestsContract, projectAccessRequestsContract } from '@stithy/core'
import { listAccessRequests } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { presentAccessRequest } from './access-request.presenter.ts'
import {
  approveGroupRequest,
  approveProjectRequest,
  removeRequest,
  requestGroupAccess,
  requestProjectAccess,
} from './access-request.service.ts'

export const projectAccessRequestHandlers: Handlers<typeof projectAccessRequestsContract> = {
  async list({ app, subject, page }) {
    const source = { sourceKind: 'project', sourceId: subject.row.id } as const
    const found = await listAccessRequests(app.db, source, page)
    return { ...found, items: found.items.map(presentAccessRequest) }
  },

  async create({ app, caller, subject }) {
    return presentAccessRequest(await requestProjectAccess(app, caller, subject))
  },

  approve: ({ app, caller, subject, params, body }) =>
    approveProjectRequest(app, caller, subject, { ...params, ...body }),

  delete: ({ app, subject: { source, userId } }) =>
    removeRequest(app, { sourceKind: 'project', sourceId: source.row.id, userId }),
}

export const groupAccessRequestHandlers: Handlers<typeof groupAccessRequestsContract> = {
  async list({ app, subject, page }) {
    const source = { sourceKind: 'group', sourceId: subject.row.id } as const
    const found = await listAccessRequests(app.db, source, page)
    return { ...found, items: found.items.map(presentAccessRequest) }
  },

  async create({ app, caller, subject }) {
    return presentAccessRequest(await requestGroupAccess(app, caller, subject))
  },

  approve: ({ app, caller, subject, params, body }) =>
    approveGroupRequest(app, caller, subject, { ...params, ...body }),

  delete: ({ app, subject: { source, userId } }) =>
    removeRequest(app, { sourceKind: 'group', sourceId: source.row.id, userId }),
}
