import { z } from 'zod'
import { pipelineStates } from '../../code/commits/pipeline-states.ts'
import { UserRef } from '../../directory/users/user.schema.ts'
import { timestamp } from '../../platform/contract/fields.ts'

/** A status of a commit; CI jobs appear in the same lists. */
export const CommitStatus = z.object({
  id: z.int(),
  sha: z.string(),
  ref: z.string(),
  status: z.enum(pipelineStates),
  name: z.string(),
  target_url: z.string().nullable(),
  description: z.string().nullable(),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  allow_failure: z.boolean(),
  coverage: z.number().nullable(),
  author: UserRef.nullable(),
})
export type CommitStatus = z.output<typeof CommitStatus>
