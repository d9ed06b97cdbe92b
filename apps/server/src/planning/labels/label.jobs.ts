import { z } from 'zod'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { mergeLabelsInBatches, mergeLabelsKind } from './label-merge.service.ts'

const Payload = z.object({
  from: z.array(z.int()),
  into: z.int(),
  projectId: z.int().optional(),
})

/** Merges labels that are used often. */
export const mergeLabelsJob: JobHandler = {
  kind: mergeLabelsKind,
  async run(app, payload) {
    const { projectId, ...merge } = Payload.parse(payload)
    await mergeLabelsInBatches(app, projectId === undefined ? merge : { ...merge, projectId })
  },
}
