import { z } from 'zod'
import { MergeRequest } from '../../planning/items/merge-request.schema.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { MergeRequestFilter, WideMergeRequestFilter } from './merge-request-filter.schema.ts'

/** A merge request with `view=simple`. */
export const SimpleMergeRequest = MergeRequest.pick({
  id: true,
  iid: true,
  project_id: true,
  title: true,
  description: true,
  state: true,
  created_at: true,
  updated_at: true,
  web_url: true,
})
export type SimpleMergeRequest = z.output<typeof SimpleMergeRequest>

const list = {
  method: 'GET',
  query: WideMergeRequestFilter,
  paginated: true,
  response: { 200: z.array(z.union([MergeRequest, SimpleMergeRequest])) },
} as const

/** Lists of merge requests. */
export const mergeRequestListsContract = {
  list: endpoint({
    name: 'mergeRequests.list',
    ...list,
    path: '/merge_requests',
    auth: {},
    docs: {
      summary: 'List merge requests',
      description: 'Those that the caller created, unless `scope` is given.',
    },
  }),
  listOfGroup: endpoint({
    name: 'mergeRequests.list',
    ...list,
    path: '/groups/:id/merge_requests',
    auth: { on: 'group', ability: 'read_group_merge_requests' },
    docs: {
      summary: 'List merge requests of a group',
      description: 'Those into the projects of the group and its subgroups.',
    },
  }),
  listOfProject: endpoint({
    name: 'mergeRequests.list',
    ...list,
    query: MergeRequestFilter,
    path: '/projects/:id/merge_requests',
    auth: { on: 'project', ability: 'read_merge_requests' },
    docs: { summary: 'List merge requests into a project' },
  }),
}
