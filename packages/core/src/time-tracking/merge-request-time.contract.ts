import { z } from 'zod'
import { integer } from '../contract/fields.ts'
import { timeTracking } from './time-tracking.contract.ts'

/** Catalogue: issues, 2.4. Authors and assignees need less than `read_merge_requests`. */
export const mergeRequestTimeContract = timeTracking({
  path: '/projects/:id/merge_requests/:merge_request_iid',
  params: z.object({ merge_request_iid: integer() }),
  auth: { on: 'project', ability: 'read_project' },
  noun: 'a merge request',
})
