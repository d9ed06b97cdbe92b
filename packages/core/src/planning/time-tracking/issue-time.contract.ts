import { z } from 'zod'
import { integer } from '../../platform/contract/fields.ts'
import { timeTracking } from './time-tracking.contract.ts'

/** Time tracking of issues. */
export const issueTimeContract = timeTracking({
  path: '/projects/:id/issues/:issue_iid',
  params: z.object({ issue_iid: integer() }),
  on: 'issue',
  noun: 'an issue',
})
