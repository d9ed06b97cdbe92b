/** States of pipelines, stages and jobs. */
export const pipelineStates = [
  'created',
  'preparing',
  'pending',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
  'manual',
  'scheduled',
] as const
export type PipelineState = (typeof pipelineStates)[number]
