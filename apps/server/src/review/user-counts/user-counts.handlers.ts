import type { userCountsContract } from '@stithy/core'
import { listMergeRequests } from '@stithy/store'
import { itemRequest } from '../../planning/items/lists/item-request.ts'
import type { Handlers } from '../../platform/http/call.ts'
import { mergeRequestFilter } from '../merge-requests/lists/merge-request-filter.ts'

export const userCountsHandlers: Handlers<typeof userCountsContract> = {
  async show({ app, caller }) {
    const filter = mergeRequestFilter(caller, { scope: 'assigned_to_me', state: 'opened' })
    const scope = { kind: 'anywhere', archived: false } as const
    const request = itemRequest(app, caller, { scope, filter }, {})
    const { total } = await listMergeRequests(app.db, request, { page: 1, perPage: 1 })
    return { merge_requests: total }
  },
}
