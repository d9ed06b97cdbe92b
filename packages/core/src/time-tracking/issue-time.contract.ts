import { z } from 'zod'
import { integer } from '../contract/fields.ts'
import { timeTracking } from './time-tracking.contract.ts'

/** Catalogue: issues, 2.4. */
export const issueTimeContract = timeTracking({
  path: '/projects/:id/issues/:issue_iid',
  params: z.object({ issue_iid: integer() }),
  auth: { on: 'project', ability: 'read_issues' },
  noun: 'an issue',
})
