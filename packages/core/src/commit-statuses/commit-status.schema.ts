import { z } from 'zod'
import { timestamp } from '../contract/fields.ts'
import { pipelineStates } from '../pipelines/pipeline-status.rules.ts'
import { UserRef } from '../users/user.schema.ts'

/** What a check says of a commit; jobs appear in the same lists (catalogue: repository, 4). */
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
