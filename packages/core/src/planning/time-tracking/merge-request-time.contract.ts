import { z } from 'zod'
import { integer } from '../../platform/contract/fields.ts'
import { timeTracking } from './time-tracking.contract.ts'

/** Time tracking of merge requests. */
export const mergeRequestTimeContract = timeTracking({
  path: '/projects/:id/merge_requests/:merge_request_iid',
  params: z.object({ merge_request_iid: integer() }),
  on: 'merge_request',
  noun: 'a merge request',
})
